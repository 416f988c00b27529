import type { WireList, WireMarket } from '../../adapters/http/answers.js';
import { OUTCOME_ROLES, type OutcomeRole } from '../../core/market/market.js';
import { PHASES } from '../../core/strategy/rules/rule-member.js';
import { AUTOMATIONS } from '../../core/strategy/rules/trading-rules.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { labelsOf } from './chosen-outcome.js';
import type { ApiClient } from './client/api-client.js';
import type { Terminal } from './terminal.js';

/** What JSON can hold. */
export type JsonMember =
  | string
  | number
  | boolean
  | null
  | readonly JsonMember[]
  | { readonly [name: string]: JsonMember };
/** A JSON object: a strategy as requests and answers have it. */
export type JsonObject = { readonly [name: string]: JsonMember };

const ANY = 'any';
/** So many markets are looked at for what may be suggested. */
const LOOKED_AT = '100';
/** The statuses of markets that take bets. */
const BETTABLE: readonly WireMarket['status'][] = ['open', 'in_play'];
/** Outcomes that need no name. */
const CHOICES: Readonly<Record<string, JsonMember>> = {
  first: { index: 0 },
  second: { index: 1 },
  favourite: { favourite_rank: 1 },
  each: 'each',
};

/**
 * The strategy that a person describes by answers. What is suggested fits the markets that the server shows. What cannot be read
 * is sent as it is: the service says why not.
 */
export async function askedStrategy(terminal: Terminal, api: ApiClient): Promise<JsonObject> {
  if (!terminal.isInteractive)
    throw new CommandFailed('Name the file with the strategy: nobody can be asked here. Nothing was done.', EXIT.usage);
  const ask = async (question: string, other: string) =>
    (await terminal.ask(`${question} [${other}] `)).trim() || other;
  const sports = [...new Set((await bettable(api, {})).flatMap(({ sport }) => sport ?? []))];
  const name = await ask('What is it called?', 'My strategy');
  const sport = await ask(
    sports.length === 0 ? 'Which sport?' : `Which sport: ${listed(sports)}?`,
    sports[0] ?? 'soccer',
  );
  const words = await ask('Words that the market must have?', ANY);
  const match: JsonObject = words === ANY ? {} : { text: words };
  const markets = await bettable(api, { sport, ...(words !== ANY && { text: words }) });
  const roles = rolesOf(markets);
  const named = [...roles, ...Object.keys(CHOICES)];
  const outcome = await ask(
    `Which outcome: ${named.join(', ')}, or its name${exampleOf(markets)}?`,
    roles[0] ?? 'first',
  );
  const isOn = markets.length > 0 && markets.every(({ status }) => status === 'in_play');
  const when = `When: ${PHASES.join(', ')} (pre is before the game, in_play while it is on)?`;
  const phase = await ask(when, isOn ? 'in_play' : 'pre');
  const shortest = await ask('The shortest odds?', '1.5');
  const longest = await ask('The longest odds?', '3');
  const value = await ask('How many USDC a bet?', '5');
  const bankroll = await ask('How many USDC at work at once?', '100');
  const automation = await ask(`Does it bet by itself: ${AUTOMATIONS.join(', ')}?`, 'approve');
  const rules = {
    match,
    outcome: outcomeIn(outcome, markets, roles),
    phase,
    filter: { min_odds: shortest, max_odds: longest },
    sizing: { method: 'flat', value },
  };
  return { name, sport, rules, bankroll_cap: bankroll, stake_cap: value, paper_only: true, automation };
}

/** Markets that take bets, of those that the server shows first; none without market data. */
async function bettable(api: ApiClient, filter: Readonly<Record<string, string>>): Promise<readonly WireMarket[]> {
  const query = { ...filter, limit: LOOKED_AT };
  const { body } = await api.request<WireList<WireMarket>>({ path: '/v1/exchange/markets', query });
  return body.data.filter(({ status }) => BETTABLE.includes(status));
}

/** The roles that these markets have; all of them where no market is known. */
function rolesOf(markets: readonly WireMarket[]): readonly OutcomeRole[] {
  if (markets.length === 0) return OUTCOME_ROLES;
  const known = new Set(markets.map(({ outcome_role: role }) => role));
  const teams = known.has('home') || known.has('away');
  return OUTCOME_ROLES.filter((role) => (role === 'draw' ? known.has(role) : teams));
}

const MOST_LISTED = 8;
const listed = (names: readonly string[]): string =>
  [...names.slice(0, MOST_LISTED), ...(names.length > MOST_LISTED ? ['…'] : [])].join(', ');

function exampleOf(markets: readonly WireMarket[]): string {
  const [label] = markets.flatMap(labelsOf);
  return label === undefined ? '' : `, such as ${label}`;
}

/** A role that markets have, a choice by a word, or else a name. */
function outcomeIn(answer: string, markets: readonly WireMarket[], roles: readonly OutcomeRole[]): JsonMember {
  const word = answer.toLowerCase();
  if (roles.some((role) => role === word)) return { role: word };
  const label = markets.flatMap(labelsOf).find((one) => one.toLowerCase() === word);
  return label === undefined ? (CHOICES[word] ?? { label: answer }) : { label };
}
