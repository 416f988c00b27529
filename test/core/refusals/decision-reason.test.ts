import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { limitOf } from '../../../src/core/limits/limits.js';
import { formatMicro } from '../../../src/core/money.js';
import { type ExplainedDecision, meaningOfSkip, reasonOf } from '../../../src/core/refusals/decision-reason.js';
import { ORDER_REFUSALS } from '../../../src/core/refusals/order-refusals.js';
import { type BetDecision, decideBet, skipOf } from '../../../src/core/strategy/decide/decide.js';
import { MISSING_INPUTS, SKIP_REASONS } from '../../../src/core/strategy/rules/skip-reasons.js';
import { ROOT } from '../../support/build.js';
import { nodesOf, parse, type Source, sourcesIn } from '../../support/sources.js';
import { goldenFile, inputsFrom } from '../strategy/decide/golden-file.js';

const MISSING = 'input_missing:';
const skips = [...Object.keys(SKIP_REASONS), ...Object.keys(MISSING_INPUTS).map((input) => `${MISSING}${input}`)];
const refusals = Object.keys(ORDER_REFUSALS);
const CODE = /^[a-z]+(_[a-z]+)*(:[a-z]+)?$/;
const SENTENCE = /^[“A-Z0-9].*[.]$/;
/** A word of the interface, which no sentence of a skip has. */
const WORD_OF_CODE = /[a-z]_[a-z]/;

/** What makes a skip of a code, with the place of the code among its arguments. */
const MAKERS: ReadonlyMap<string, number> = new Map([
  ['skipOf', 1],
  ['heldBack', 1],
  ['exitSkip', 1],
  ['held', 1],
  ['this.#skip', 0],
]);

/** The codes that files make skips with: literals and constants. */
function codesIn(sources: readonly Source[]): string[] {
  const constants = new Map(
    sources
      .flatMap((source) => nodesOf(source, ts.isVariableDeclaration))
      .flatMap(({ name, initializer }) =>
        initializer !== undefined && ts.isStringLiteral(initializer) && CODE.test(initializer.text)
          ? [[name.getText(), initializer.text]]
          : [],
      ),
  );
  return sources.flatMap((source) => codesOf(source, constants));
}

function codesOf(source: Source, constants: ReadonlyMap<string, string>): string[] {
  return nodesOf(source, ts.isCallExpression).flatMap(({ expression, arguments: given }) => {
    const code = given[MAKERS.get(expression.getText()) ?? given.length];
    return code === undefined ? [] : wordsIn(code, constants).filter((text) => CODE.test(text));
  });
}

/** Every literal in an expression, and the value of every constant. */
function wordsIn(node: ts.Node, constants: ReadonlyMap<string, string>): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isIdentifier(node)) return [constants.get(node.text) ?? ''];
  const found: string[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...wordsIn(child, constants));
  });
  return found;
}

/** Decisions of 500 games by 60 rule sets, one for each code and the rule that decided. */
function decisions(): readonly BetDecision[] {
  const { games, sets } = goldenFile();
  const found = new Map<string, BetDecision>();
  for (const game of games) {
    const inputs = inputsFrom(game);
    for (const rules of sets) {
      const decision = decideBet({ ...inputs, rules });
      const name = `${decision.code ?? decision.boundBy} ${failedRule(decision)?.rule}`;
      if (!found.has(name)) found.set(name, decision);
    }
  }
  return [...found.values()];
}

const failedRule = ({ rules }: BetDecision) => rules.find(({ passed }) => passed !== true);

describe('The reasons of skips', () => {
  it('have a sentence for every code, without words of the code', () => {
    const isWrong = (code: string) => !SENTENCE.test(meaningOfSkip(code)) || WORD_OF_CODE.test(meaningOfSkip(code));
    expect(skips.filter(isWrong)).toEqual([]);
    // These may begin with the name of a member.
    expect(refusals.filter((code) => !/^\S+ \S+ .*[.]$/.test(meaningOfSkip(code)))).toEqual([]);
  });

  it('have every code that a skip is made with', () => {
    const made = codesIn(sourcesIn('src/core/strategy', 'src/core/usecases/strategies'));
    expect(made).toEqual(expect.arrayContaining(['automation_changed', 'no_fills', 'not_followed', 'exit_in_flight']));
    expect(made.filter((code) => ![...skips, ...refusals].includes(code))).toEqual([]);
  });

  it('would miss no code, written as it may be', () => {
    const probe = `const A = 'one_code'; skipOf(decision, A); exitSkip(decision, isOn ? 'two_codes' : other);`;
    expect(codesIn([parse('src/core/probe.ts', probe)])).toEqual(['one_code', 'two_codes']);
  });

  it('are in the guide, each with its sentence', () => {
    const guide = readFileSync(join(ROOT, 'docs/strategies.md'), 'utf8');
    const rows = Object.entries(SKIP_REASONS).map(([code, [meaning]]) => `| \`${code}\` | ${meaning} |`);
    expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  });
});

describe('The reason of a decision', () => {
  const all = decisions();

  it('is a sentence for every rule that can fail', () => {
    expect(all.length).toBeGreaterThan(60);
    const wrong = (reason: string) => !SENTENCE.test(reason) || WORD_OF_CODE.test(reason);
    expect(all.map(reasonOf).filter(wrong)).toEqual([]);
  });

  it('names a figure that decided, where the rule found one', () => {
    const silent = all.filter((decision) => {
      const rule = failedRule(decision);
      if (decision.verdict === 'bet' || rule === undefined || !/\d/.test(`${rule.value}${rule.bound}`)) return false;
      return rule.passed === false && !/\d/.test(reasonOf(decision));
    });
    expect(silent.map(({ code }) => code)).toEqual([]);
  });

  it.each([
    ['odds_out_of_range', /^The odds are \d+(\.\d{1,3})?; the rules want \d\S* or (longer|shorter)\.$/],
    ['in_play_not_allowed', /^The game began at 2026-03-01 \d\d:\d\d UTC; the rules bet before it only\.$/],
    ['slot_used', /^Already bet on .*/],
    ['spread_too_wide', /^The best bid and the best ask are 0\.\d+ apart; the rules want 0\.\d+ or less\.$/],
  ])('of %s has its figures', (code, words) => {
    const found = all.filter((decision) => decision.code === code);
    expect(found.length).toBeGreaterThan(0);
    for (const decision of found) expect(reasonOf(decision)).toMatch(words);
  });

  it('has the seconds of a moment within a minute', () => {
    const skip = all.find((one) => failedRule(one)?.rule === 'filter/max_odds') as BetDecision;
    const until = (bound: string) =>
      reasonOf({ ...skip, code: 'cooldown', rules: [{ rule: 'limits/cooldown', value: null, bound, passed: false }] });
    expect(until('2026-03-01T12:00:34.000Z')).toMatch(/before 2026-03-01 12:00:34 UTC\.$/);
    expect(until('2026-03-01T12:05:00.000Z')).toMatch(/before 2026-03-01 12:05 UTC\.$/);
  });

  it('never shows odds as the bound that they miss', () => {
    const skip = all.find((one) => failedRule(one)?.rule === 'filter/max_odds') as BetDecision;
    const rules = [{ rule: 'filter/max_odds', value: '3.0004', bound: '3', passed: false }];
    expect(reasonOf({ ...skip, rules })).toBe('The odds are 3.0004; the rules want 3 or shorter.');
  });

  it('of a refused order is the sentence of the refusal', () => {
    const bet = all.find(({ verdict }) => verdict === 'bet') as BetDecision;
    const refused = skipOf(bet, 'max_open_exceeded', 'The account has as many open orders as it may: 20 of 20.');
    expect(reasonOf(refused)).toBe('The account has as many open orders as it may: 20 of 20.');
    expect(reasonOf(skipOf(bet, 'max_open_exceeded'))).toBe(limitOf('openOrders').help.replaceAll('`', ''));
  });

  it('of a sale says which condition was true, and of none what was found', () => {
    const bet = all.find(({ verdict }) => verdict === 'bet') as BetDecision & { readonly shares: bigint };
    const rules = [
      { rule: 'exit/take_profit', value: '0.4', bound: '0.7', passed: false },
      { rule: 'exit/stop', value: '0.4', bound: '0.45', passed: true },
    ];
    const inputs = { best_bid: '0.4', held_shares: '35.08', sellable_shares: '3' };
    const sale: ExplainedDecision = { ...bet, outcomeLabel: 'Reds', slot: null, boundBy: 'exit/stop', rules, inputs };
    const sold = `Sells ${formatMicro(bet.shares)} shares of Reds at`;
    expect(reasonOf(sale)).toMatch(
      new RegExp(`^${sold} .* or better: stop of the rules is at 0.45, and 0.4 was found.$`),
    );
    const skip = { ...sale, verdict: 'skip' as const };
    expect(reasonOf({ ...skip, code: 'hold', boundBy: null })).toBe(
      'No condition to sell is true: the best bid is 0.4, and it holds 35.08 shares.',
    );
    expect(reasonOf({ ...skip, code: 'below_minimum' })).toBe('It could sell 3 shares, fewer than the market takes.');
  });

  it('of a bet says what it buys, and what bounds it', () => {
    const bet = all.find(({ boundBy, verdict }) => verdict === 'bet' && boundBy === 'stake_cap') as BetDecision;
    expect(reasonOf(bet)).toMatch(
      /^Buys .* shares of .* for .* USDC at odds of .*; the stake cap makes it no larger\.$/,
    );
  });
});
