import type { WireBet } from '../../adapters/http/answers.js';
import { BET_RESULTS } from '../../core/performance/bet.js';
import type { ListPage } from '../net/api.js';
import { OfAskedStrategy } from './by-ending.tsx';
import { Badge, Card, Empty, Gain, Moment, Money, Plain, Trouble } from './figures.tsx';
import { Link, pathTo, useAsked } from './link.tsx';
import { AskedChoice, Filters, TradeFilters, TradePages, useListPage, useTradeFilters } from './listed.tsx';
import { DataTable, type Sorting } from './table.tsx';

const EVERY_MS = 30_000;
/** The columns by which the server sorts. */
const TIME = 'First fill';
const PROFIT = 'Profit';

/** Bets one by one, a page at a time as the server has them. */
export const BetList = () => (
  <Card title="Bets" wide>
    <OfAskedStrategy>
      <Bets />
    </OfAskedStrategy>
  </Card>
);

function Bets() {
  const { get } = useAsked();
  const { sorting, filters: some } = useTradeFilters(TIME);
  const result = get('result');
  // An open bet has no place among profits: its own moves with the market.
  const isByProfit = sorting.column === PROFIT && result !== 'open';
  const filters = { ...some, result, ...(isByProfit && { order: sorting.isDown ? 'best' : 'worst' }) };
  const { value, problem } = useListPage<ListPage<WireBet>>('/v1/bets', filters, EVERY_MS);
  return (
    <>
      <Filters>
        <AskedChoice
          name="result"
          label="Result"
          options={[['', 'any'], ...BET_RESULTS.map((one) => [one, resultText(one)] as const)]}
        />
        <TradeFilters />
      </Filters>
      <Trouble text={problem} />
      {isByProfit && result === '' ? (
        <p class="hint">Only bets that ended: the profit of an open one moves with its market.</p>
      ) : null}
      {value === null ? (
        problem === null ? (
          <p>Reading…</p>
        ) : null
      ) : (
        <BetTable rows={value.data} sorting={sorting} isOpen={result === 'open'} />
      )}
      <TradePages
        next={value?.next_cursor ?? null}
        sorting={sorting}
        time={TIME}
        {...(isByProfit && { other: sorting.isDown ? (['Best', 'Worse'] as const) : (['Worst', 'Better'] as const) })}
      />
    </>
  );
}

interface BetTableProps {
  readonly rows: readonly WireBet[];
  readonly sorting: Sorting;
  /** Whether they are open: the server does not sort those by profit. */
  readonly isOpen: boolean;
}

function BetTable({ rows, sorting, isOpen }: BetTableProps) {
  if (rows.length === 0) return <Empty>No bet is on record for this.</Empty>;
  return (
    <DataTable<WireBet>
      caption="Bets"
      rows={rows}
      sorting={sorting}
      keyOf={({ id }) => id}
      columns={[
        {
          name: TIME,
          by: 'server',
          cell: ({ order_ids: [order], first_fill_at: at }) =>
            order === undefined ? (
              <Moment at={at} />
            ) : (
              <Link to={pathTo('orders', order)}>
                <Moment at={at} />
              </Link>
            ),
        },
        { name: 'Result', cell: ({ result }) => <Badge tone={TONES[result] ?? ''}>{resultText(result)}</Badge> },
        {
          name: 'Outcome',
          cell: (bet) => (
            <>
              {bet.side === 'LAY' ? 'against ' : ''}
              {bet.outcome_label ?? bet.question ?? bet.market_id}{' '}
              <small>
                <Link to={pathTo('markets', bet.venue, bet.market_id)}>
                  {bet.event ?? bet.question ?? bet.market_id}
                </Link>
              </small>
            </>
          ),
        },
        { name: 'Shares', num: true, cell: ({ shares }) => <Plain value={shares} /> },
        {
          name: 'Stake',
          num: true,
          cell: ({ stake_usdc }) => <Money value={stake_usdc} />,
        },
        { name: 'Fees', num: true, cell: ({ fees_usdc }) => <Money value={fees_usdc} /> },
        {
          name: PROFIT,
          num: true,
          ...(isOpen ? {} : { by: 'server' as const }),
          cell: ({ profit_usdc }) => <Gain value={profit_usdc} />,
        },
        { name: 'Ended', cell: ({ settled_at }) => <Moment at={settled_at} /> },
      ]}
    />
  );
}

/** How a bet ended, in words. */
const resultText = (result: WireBet['result']): string => (result === 'closed_early' ? 'sold early' : result);

const TONES: Readonly<Record<string, 'good' | 'bad' | ''>> = { won: 'good', lost: 'bad' };
