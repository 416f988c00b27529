import type { Reporter, TestModule } from 'vitest/node';

/** What a test of `npm test` may take, but for the stories. */
const BUDGET_MS = 2000;

/** The one test of a feature, from end to end, that may take longer than the budget: its file, and its title with those around it. */
const STORIES: Readonly<Record<string, string>> = {
  'the first steps of a user': 'e2e/pages: README.md > shows the real output of the commands for its demo',
  'the package': 'package: as a library > runs the ten lines of README.md in an empty, strictly typed project',
  'the document of the API': 'e2e/fuzz: 10000 requests, good and bad, are answered as the document says',
  'a generated client':
    'e2e/openapi: a client that is generated from the document > type-checks, and does all three operations on the running server',
  'requests that are cut off':
    "e2e/bad-requests: on a server in production, with keys and access tokens > on either server, 'RAW-020': 'headers never end (slowloris): 408 wi…'",
  'the clients of docs/api.md':
    'docs/clients: docs/api.md > shows a client in TypeScript that says what became of its order',
  'the library without its dependencies':
    'package: as a library > trades on paper in a strictly typed program, without a single dependency',
  'events on the command line': 'cli/api/events: --follow reads a stream, and resumes after its server was killed',
  'paper money':
    'e2e/paper-never-live: A live exchange, with an account that may trade there > is never accessed by 10000 paper requests or by paper-only strategies',
  'a strategy in code': 'examples: The example > of a strategy in code > buys once under its strategy at a server',
  signals: "e2e/model-story: a user's model posts signals, and only markets with edge get bets",
  'strategies that bet': 'e2e/strategies-all-day: a day of 50 strategies on 25 markets loses no decision',
  'strategies that sell': 'e2e/strategy-exits-story: a strategy exits five bets by five rules with the right money',
  'evaluations of strategies':
    'e2e/strategy-dry-runs: a thousand evaluations report bets and leave the database unchanged',
  backtests: 'backtest/backtest: plays each strategy as if there were no other',
  'backtests that keep their record':
    'cli/backtest: stakeport backtest > writes the same files beside Postgres that keeps the record',
  'backtests that are interrupted':
    'e2e/backtest-interrupted: ^C ends a backtest with 130 and the files of what it reached',
  automation: 'examples: The example > automation.sh lets an automated strategy trade a tape at a profit',
  alarms: 'e2e/alarms: a real-money order unknown for a minute raises one alarm until answered',
  'reconciliation with a venue':
    'server/http/live-start: Until the whole record was reconciled with the venue > it is swept again and again while the venue does not report',
  'market data of a venue':
    'adapters/polymarket/market-data/market-data: a venue that cannot be reached > is unavailable to requests, and a gap for followers',
  tapes:
    'adapters/tape/tape-cut: The same decisions, orders and fills as on the whole tape > come of its parts, in any order of files, and of these merged',
  'one order for one intent': 'e2e/one-key: on Postgres, one key is one order although the exchange hangs up',
  'backtests that can be repeated':
    'e2e/backtest-bytes: a backtest has the same bytes on each Node, in each zone and language',
  'live trading': 'e2e/live-trading: A server with an unreachable exchange exits with a retryable code',
  recordings: 'adapters/tape/tape-recorder: A recording > of either kind goes on after its process was killed',
  'event streams': 'adapters/http/stream-ends: 60 stalled clients cost at most a page each and are cut',
  readiness: 'e2e/streams: streams of a server catching up answer 200 and announce its readiness',
  'start and stop': 'e2e/start-and-stop: a failing or hanging venue blocks no start, stop or cancellation',
  'a database that fails':
    "cli/failing-commands: With a database that is 'silent' > a server does not start, and says so in the same way",
  'roles of a database':
    'deploy/roles: under deploy/roles.sql the owner creates tables, servers write, and audits read',
  audit: 'e2e/audit: stakeport audit on Postgres > finds nothing while a server takes orders from many clients',
  backup: 'e2e/backup: a backup of a loaded SQLite server restores, passes audit and continues',
  'histories of equity':
    'e2e/equity-history: a running server keeps equity histories of accounts and strategies over restarts',
  'several servers': 'e2e/streams: a commit of one server streams from another within a second',
  'the library in a program':
    'examples: The example > embed.ts places an order under a strategy, and prints its history',
  'commands from a chat':
    'e2e/telegram-commands: a group approves, rejects and halts by presses that count once, even for a killed server',
  secrets:
    'e2e/secrets: A server that trades with real money > has the key in no string of its memory nor its environment',
};

/** A test that ended: its file in `test/` without the ending, its title with those around it, and how long it took. */
export interface TimedTest {
  readonly file: string;
  readonly title: string;
  readonly ms: number;
}

/** What a reader has to know of these tests: which took longer than their budget, and which stories their files do not have. */
export function overBudget(tests: readonly TimedTest[], stories = Object.values(STORIES)): readonly string[] {
  const named = tests.map(({ file, title, ms }) => ({ name: `${file}: ${title}`, file, ms }));
  const over = named.filter(({ name, ms }) => ms > BUDGET_MS && !stories.includes(name));
  const isHere = (story: string) => named.some(({ file }) => story.startsWith(`${file}: `));
  const lost = stories.filter((story) => isHere(story) && !named.some(({ name }) => name === story));
  return [
    ...over.toSorted((a, b) => b.ms - a.ms).map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`),
    ...lost.map((story) => `no such test: ${story}`),
  ];
}

/** Names the tests that took longer than their budget, the slowest first; nothing fails by it. */
export class OverBudget implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ relativeModuleId, children }) =>
      [...children.allTests()].map((test) => ({
        file: relativeModuleId.replace(/^test\/|\.test\.ts$/g, ''),
        title: test.fullName,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    );
    const lines = overBudget(tests);
    if (lines.length > 0) console.log(`\nTests that took longer than ${BUDGET_MS / 1000} s:\n${lines.join('\n')}`);
  }
}
