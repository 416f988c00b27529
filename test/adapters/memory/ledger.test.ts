import { MemoryLedger } from '../../../src/adapters/memory/memory-ledger.js';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';

const close = async () => {};

ledgerContract('memory', async () => ({ ledger: new MemoryLedger(), close }));

twoLedgersContract('memory, one object held twice', async () => {
  const ledger = new MemoryLedger();
  return { ledgers: [ledger, ledger], close };
});
