export { PaperExchange, WHOLE_AT_LIMIT } from './exchange.js';
