import { SqlLedger } from '../../dist/adapters/sql/ledger.js';

/** How long each durable write took, in milliseconds, in the order in which they ended. */
const writes = [];
const { write } = SqlLedger.prototype;

SqlLedger.prototype.write = async function timed(...given) {
  const began = performance.now();
  try {
    return await write.apply(this, given);
  } finally {
    writes.push(performance.now() - began);
  }
};

process.on('message', () => process.send(writes.splice(0)));
await import('../../dist/server/main.js');
