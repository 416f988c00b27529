import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { systemClock, uuidV7 } from '../../../../src/adapters/system/system.js';
import type { AccountId } from '../../../../src/core/ids.js';
import { CreateStrategy } from '../../../../src/core/usecases/strategies/create-strategy.js';
import { aDraft } from '../../../support/builders.js';

/**
 * Opens a ledger, `exclusive` or `shared`, and keeps it open until it is killed. With `write`, it stores strategies
 * one after another until one fails, and says what every one of them, and the ledger after it, came to.
 */
const [url = '', how, task] = process.argv.slice(2);

try {
  const ledger = await openSqlLedger(url, { exclusive: how === 'exclusive' });
  console.log('the ledger is open');
  const create = new CreateStrategy(ledger, systemClock, uuidV7);
  const write = () => create.execute({ account: 'alice' as AccountId, draft: aDraft(), idempotencyKey: null });
  while (task === 'write') {
    const outcome = await write().then(
      ({ record }) => `stored ${record.id}`,
      (error: Error) => `failed ${error.name}: ${error.cause}`,
    );
    console.log(outcome);
    if (!outcome.startsWith('failed')) continue;
    console.log(
      await write().then(
        () => 'mended',
        (error: Error) => `still ${error.name}`,
      ),
    );
    console.log(
      await ledger.ping().then(
        () => 'ping answers',
        (error: Error) => `ping ${error.name}`,
      ),
    );
    break;
  }
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log(String(error));
}
