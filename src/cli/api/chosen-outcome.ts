import type { WireMarket } from '../../adapters/http/answers.js';
import { OUTCOME_SIDES, type OutcomeSide } from '../../core/market/market.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiClient } from './client/api-client.js';
import { isUnknownMarket, withMarket } from './named-market.js';
import { segment } from './page-options.js';

/** An outcome as a person names it: YES, NO, or its name in the market. */
export interface NamedOutcome {
  readonly market: string;
  readonly outcome: string;
  readonly venue?: string | undefined;
}

/** The names of both outcomes, the first one first; empty where the market does not name them. */
export const labelsOf = ({ outcomes }: WireMarket): readonly string[] => (outcomes ?? []).map(({ label }) => label);

/** The outcome that YES or NO names; undefined for a name that only the market knows. */
export function sideNamed({ outcome }: Pick<NamedOutcome, 'outcome'>): OutcomeSide | undefined {
  return OUTCOME_SIDES.find((one) => one === outcome.trim().toUpperCase());
}

/** The market that a person names. Null where the server does not show it: without market data it takes orders for any market. */
export async function shownMarket(api: ApiClient, { market, venue }: NamedOutcome): Promise<WireMarket | null> {
  try {
    return await withMarket(api, { market, venue }, async (id) => {
      const path = `/v1/exchange/markets/${segment(id)}`;
      return (await api.request<WireMarket>({ path, query: { venue } })).body;
    });
  } catch (error) {
    if (isUnknownMarket(error)) return null;
    throw error;
  }
}

/** The outcome of this name. @throws CommandFailed where the name is that of no outcome, or of both */
export function outcomeNamed(market: WireMarket | null, named: NamedOutcome): OutcomeSide {
  const wanted = named.outcome.trim().toLowerCase();
  const found = (market?.outcomes ?? []).filter(({ label }) => label.toLowerCase() === wanted);
  const [one] = found;
  if (one !== undefined && found.length === 1) return one.token;
  if (market === null) {
    const words = `The server shows no market ${named.market}. Find it with: stakeport markets WORDS. Nothing was done.`;
    throw new CommandFailed(words, EXIT.no);
  }
  const known = ['YES', 'NO', ...labelsOf(market).map(inOneLine)].join(', ');
  const words = `${named.market} has no outcome ${named.outcome}. Say one of: ${known}. Nothing was done.`;
  throw new CommandFailed(words, EXIT.usage);
}
