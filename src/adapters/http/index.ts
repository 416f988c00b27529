export { type AppParts, createApp } from './app.js';
export { keyRoutes } from './key-routes.js';
export { type Answered, Metrics, type Observer } from './observe.js';
export { orderRoutes, type OrderUseCases } from './order-routes.js';
export { type HttpServer, serve } from './serve.js';
export { strategyRoutes, type StrategyUseCases } from './strategy-routes.js';
export type { Route } from './route.js';
