export { MemoryLedger } from './ledger.js';
