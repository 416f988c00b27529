export { type AppParts, createApp } from './app.js';
export { keyRoutes } from './key-routes.js';
export { marketRoutes } from './market-routes.js';
export { type Answered, Metrics, type Observer } from './observe.js';
export { type OrderUseCases, orderRoutes } from './order-routes.js';
export { portfolioRoutes } from './portfolio-routes.js';
export type { Route } from './route.js';
export { type HttpServer, serve } from './serve.js';
export { type StrategyUseCases, strategyRoutes } from './strategy-routes.js';
