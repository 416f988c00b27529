import '../../test/support/unbundled.mjs';
import { SqlLedger } from '../../dist/adapters/sql/sql-ledger.js';

/** How long the durable writes of orders took, in milliseconds: those that put them on record, and those of their jobs. */
const writes = { intents: [], jobs: [] };
const { write } = SqlLedger.prototype;

SqlLedger.prototype.write = async function timed(...given) {
  const [{ orders, jobs }] = given;
  const kind = jobs === undefined ? writes.intents : writes.jobs;
  const isOther = jobs === undefined && orders !== undefined;
  const began = performance.now();
  try {
    return await write.apply(this, given);
  } finally {
    if (!isOther) kind.push(performance.now() - began);
  }
};

process.on('message', () => process.send({ intents: writes.intents.splice(0), jobs: writes.jobs.splice(0) }));
await import('../../dist/server/main.js');
