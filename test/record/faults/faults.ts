/** A small change of the source that a caller should notice. The text stands in one file of src alone, whichever that is. */
export interface Fault {
  readonly about: string;
  readonly find: string;
  readonly replace: string;
  /** The file and the title of the test that goes red, where no caller can see the fault. */
  readonly test?: readonly [file: string, title: string];
}

type Planted = readonly [find: string, replace: string, test?: Fault['test']];

const by = (about: string, faults: readonly Planted[]): readonly Fault[] =>
  faults.map(([find, replace, test]) => ({ about, find, replace, ...(test !== undefined && { test }) }));

/** A hundred, spread over the rules, the ways in and the stores. */
export const FAULTS: readonly Fault[] = [
  ...by('market', [
    ['return divide(shares * price, ONE, rounding) as Usdc;', 'return divide(shares + price, ONE, rounding) as Usdc;'],
    ['if (numerator === 0n) return 0n;', 'if (numerator !== 0n) return 0n;'],
    [
      'const due = (this.#numerator + exact + this.#denominator - 1n) / this.#denominator;',
      'const due = (this.#numerator - exact + this.#denominator - 1n) / this.#denominator;',
    ],
    ['return yes + no === ONE && yes >= 0n && no >= 0n;', 'return yes + no !== ONE && yes >= 0n && no >= 0n;'],
    [
      "if (!acceptingOrders) return acceptsFrom !== null && acceptsFrom > now ? 'upcoming' : 'suspended';",
      "if (!acceptingOrders) return acceptsFrom !== null || acceptsFrom > now ? 'upcoming' : 'suspended';",
    ],
    [
      "if (confirmedPayout(claims, sources) !== null) return amended ? 'amended' : 'resolved';",
      "if (confirmedPayout(claims, sources) === null) return amended ? 'amended' : 'resolved';",
    ],
    [
      'return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();',
      'return wanted !== undefined || wanted.toLowerCase() === actual?.toLowerCase();',
    ],
    ["if (liquidity === 'TAKER') return rate;", "if (liquidity === 'MAKER') return rate;"],
    [
      'rounded(this.#numerator, this.#denominator, this.#rounding) - this.#charged',
      'rounded(this.#numerator, this.#denominator, this.#rounding) + this.#charged',
    ],
  ]),
  ...by('matching', [
    [
      'return startsAt !== null && startsAt.getTime() <= now;',
      'return startsAt !== null || startsAt.getTime() <= now;',
    ],
    [
      'if (level === undefined || !working.reaches(level.price)) break;',
      'if (level !== undefined || !working.reaches(level.price)) break;',
    ],
    [
      'this.#now = Math.max(this.#now, due?.at ?? (wipes ? start : to));',
      'this.#now = Math.min(this.#now, due?.at ?? (wipes ? start : to));',
    ],
    [
      'for (const working of this.#resting[side]) if (working.limit === price) recount(working, book, at);',
      'for (const working of this.#resting[side]) if (working.limit !== price) recount(working, book, at);',
    ],
    [
      "else if (event.type === 'tick') this.market = withGrid(this.market, event);",
      "else if (event.type !== 'tick') this.market = withGrid(this.market, event);",
    ],
    ["if (assumption.kind === 'walk') {", "if (assumption.kind !== 'walk') {"],
    [
      "if (event.type === 'levels') this.#keep(event.changes);",
      "if (event.type !== 'levels') this.#keep(event.changes);",
    ],
    [
      'if (comesFirst(this.#entries[middle] ?? entry, entry)) low = middle + 1;',
      'if (comesFirst(this.#entries[middle] ?? entry, entry)) low = middle - 1;',
    ],
    [
      'const isOver = (move: Move, at: number): boolean => at - move.at >= ONE_MATCH_MS;',
      'const isOver = (move: Move, at: number): boolean => at + move.at >= ONE_MATCH_MS;',
    ],
    [
      'const mine = (working: WorkingOrder) => working.order.account === owner;',
      'const mine = (working: WorkingOrder) => working.order.account !== owner;',
    ],
    ["refusal('post_only_would_cross', 'Invalid", "refusal('post_only_crossed', 'Invalid"],
  ]),
  ...by('order', [
    [
      'return cash + outstanding + shares < AMOUNT_LIMIT && positions.every((position) => hasRoom(position, wanted));',
      'return cash + outstanding + shares <= AMOUNT_LIMIT && positions.every((position) => hasRoom(position, wanted));',
    ],
    [
      "if (worse === 'split') return sum(markets, (market) => (market === result ? ifYes(market) : ifNot(market)));",
      "if (worse !== 'split') return sum(markets, (market) => (market === result ? ifYes(market) : ifNot(market)));",
    ],
    [
      'if (broken !== undefined) throw new OrderInvalid(broken[0], broken[2]);',
      'if (broken === undefined) throw new OrderInvalid(broken[0], broken[2]);',
    ],
    [
      'if (most === null || !refuses.includes(side)) continue;',
      'if (most !== null || !refuses.includes(side)) continue;',
    ],
    [
      'if (order.filled.shares === 0n && matched >= order.intent.shares) {',
      'if (order.filled.shares === 0n || matched >= order.intent.shares) {',
    ],
    [
      'sold.set(nameOf(order.intent), (sold.get(nameOf(order.intent)) ?? 0n) + reservedShares(order));',
      'sold.set(nameOf(order.intent), (sold.get(nameOf(order.intent)) ?? 1n) + reservedShares(order));',
    ],
    [
      'if (fault !== undefined) throw new OrderInvalid(fault.member, fault.message);',
      'if (fault === undefined) throw new OrderInvalid(fault.member, fault.message);',
    ],
    [
      "(isWorking(state) && state !== 'pending') || fills.some(({ settlement }) => settlement === 'provisional');",
      "(isWorking(state) || state !== 'pending') || fills.some(({ settlement }) => settlement === 'provisional');",
      // Only orders of real money are compared with their venue.
      [
        'test/core/usecases/orders/background/reconcile-orders.test.ts',
        'asks about an order until its fills are confirmed, and no longer',
      ],
    ],
    [
      'const isHalted = trading.states.some((one) => one.code === code && stopsThis(one, paper) && isInForce(one, at));',
      'const isHalted = trading.states.some((one) => one.code !== code && stopsThis(one, paper) && isInForce(one, at));',
    ],
    [
      'return `the ${scope.slice(0, at)} ${scope.slice(at + 1)}`;',
      'return `the ${scope.slice(0, at)} ${scope.slice(at - 1)}`;',
    ],
    ['if (setName(other, known) !== set) continue;', 'if (setName(other, known) === set) continue;'],
    ["refusal('insufficient_position', `The account", "refusal('insufficient_balance', `The account"],
    [
      "'strategy_archived', 'The strategy was archived.'",
      "'strategy_paused', 'The strategy was archived.'",
      // Between the record of an order and its sending, which only real money has.
      ['test/core/usecases/orders/halted-accounts.test.ts', 'the strategy is archived: it is denied'],
    ],
  ]),
  ...by('account', [
    [
      'if (record === undefined || (record.expiresAt !== null && record.expiresAt <= now)) return undefined;',
      'if (record !== undefined || (record.expiresAt !== null && record.expiresAt <= now)) return undefined;',
    ],
    [
      "...compared('wanted_shares', name, `The shares wanted of ${name}`, wanted, bought.get(name) ?? 0n, BY_ORDERS),",
      "...compared('wanted_shares', name, `The shares wanted of ${name}`, wanted, bought.get(name) ?? 1n, BY_ORDERS),",
    ],
    ["if (cause === 'fill' && place === next) {", "if (cause === 'fill' || place === next) {"],
    [
      "if (free < 0n && free < freeCash(balance)) throw new InvariantBroken('no order spends more than the free cash');",
      "if (free <= 0n && free < freeCash(balance)) throw new InvariantBroken('no order spends more than the free cash');",
    ],
    ['const isSame = pricesOf(found) === pricesOf(due);', 'const isSame = pricesOf(found) !== pricesOf(due);'],
    [
      'const redeemable = redeems && isRedeemable(position) ? minus(paid, inCash) : NO_USDC;',
      'const redeemable = redeems || isRedeemable(position) ? minus(paid, inCash) : NO_USDC;',
    ],
    [
      'else if (hash !== this.digest(chainText(this.#hash, event))) this.#fail(`event ${seq} does not match its hash`);',
      'else if (hash === this.digest(chainText(this.#hash, event))) this.#fail(`event ${seq} does not match its hash`);',
    ],
  ]),
  ...by('limits', [
    [
      'alarmIn(alarms, key) === undefined ? alarms : alarms.filter((one) => !isSame(one, key));',
      'alarmIn(alarms, key) !== undefined ? alarms : alarms.filter((one) => !isSame(one, key));',
    ],
    [
      'const earlier = (first: string | undefined, entry: string) => (first !== undefined && entry < first ? entry : first);',
      'const earlier = (first: string | undefined, entry: string) => (first !== undefined || entry < first ? entry : first);',
    ],
    [
      'return alarms.map((one) => (one === known ? { ...alarm, since: known.since } : one));',
      'return alarms.map((one) => (one !== known ? { ...alarm, since: known.since } : one));',
    ],
    [
      'event: event === null ? setName(market, group) : `${venueOf(market)} ${event}`,',
      'event: event !== null ? setName(market, group) : `${venueOf(market)} ${event}`,',
    ],
    ["yes = plus(yes, outcome === 'YES' ? ifWon : ifLost);", "yes = plus(yes, outcome !== 'YES' ? ifWon : ifLost);"],
    [
      'const others = counted.recent.filter(([second]) => second !== now);',
      'const others = counted.recent.filter(([second]) => second === now);',
    ],
    [
      'event !== null || exclusiveSet !== null || league !== null || sport !== null;',
      'event !== null && exclusiveSet !== null || league !== null || sport !== null;',
    ],
    [
      "if (text === 'service' || text === 'account') return text;",
      "if (text !== 'service' || text === 'account') return text;",
    ],
    [
      'for (const [price, orders] of after) counts.set(price, (counts.get(price) ?? 0) + orders);',
      'for (const [price, orders] of after) counts.set(price, (counts.get(price) ?? 0) - orders);',
    ],
    [
      'const endsAt = key.expiresAt !== null && key.expiresAt < last ? key.expiresAt : last;',
      'const endsAt = key.expiresAt !== null || key.expiresAt < last ? key.expiresAt : last;',
    ],
    [
      "if (state.state === 'halted') return refusal('trading_halted',",
      "if (state.state === 'halted') return refusal('trading_reducing',",
    ],
  ]),
  ...by('strategy', [
    [
      'return (!needsGain || edge.n > 0n) && (minEdge === null || compareRatios(edge, ratioOf(minEdge)) >= 0n);',
      'return (!needsGain || edge.n > 0n) || (minEdge === null || compareRatios(edge, ratioOf(minEdge)) >= 0n);',
    ],
    [
      'for (const { code, count } of counts) this.#stored.set(code, (this.#stored.get(code) ?? 0) + count);',
      'for (const { code, count } of counts) this.#stored.set(code, (this.#stored.get(code) ?? 0) - count);',
    ],
    [
      'const wholeIn = (digits: string): number => [...digits].reduce((sum, digit) => sum * 10 + DIGITS.indexOf(digit), 0);',
      'const wholeIn = (digits: string): number => [...digits].reduce((sum, digit) => sum + 10 + DIGITS.indexOf(digit), 0);',
    ],
    [
      "if (sizing.method !== 'dutch' && compareRatios(sum, ratioOf(ONE)) < 0n)",
      "if (sizing.method !== 'dutch' && compareRatios(sum, ratioOf(ONE)) <= 0n)",
    ],
    [
      "if (side === 'BACK') return { from: (cheapest - fee) as Price, to: dearest as Price };",
      "if (side === 'BACK') return { from: (cheapest + fee) as Price, to: dearest as Price };",
    ],
    ['if (takeProfit.price <= stop.price)', 'if (takeProfit.price < stop.price)'],
    [
      'const [first, ...rest] = stakes.filter((one) => one !== null);',
      'const [first, ...rest] = stakes.filter((one) => one === null);',
    ],
    ['if (stakeCap <= bankrollCap) return;', 'if (stakeCap < bankrollCap) return;'],
    [
      "if (status !== 'open' && status !== 'in_play') return status === null ? 'input_missing:status' : 'not_matched:status';",
      "if (status === 'open' && status !== 'in_play') return status === null ? 'input_missing:status' : 'not_matched:status';",
    ],
    [
      "else if (estimate?.code === 'implausible_signal') log.test(SIGNAL, estimate.detail, name, false, estimate.code);",
      "else if (estimate?.code === 'implausible_signal') log.test(SIGNAL, estimate.detail, name, true, estimate.code);",
    ],
    [
      "log.test('filter/max_spread', ask - bid, most, ask - bid <= most, 'spread_too_wide');",
      "log.test('filter/max_spread', ask - bid, most, ask - bid < most, 'spread_too_wide');",
    ],
  ]),
  ...by('usecases', [
    ['mail.failures = sent.isDone ? 0 : mail.failures + 1;', 'mail.failures = sent.isDone ? 0 : mail.failures - 1;'],
    [
      'if (tradingRules(strategy).filter.maxDrift === null) return offer;',
      'if (tradingRules(strategy).filter.maxDrift !== null) return offer;',
    ],
    ['if (page.next < page.head) round.again(this.#now());', 'if (page.next <= page.head) round.again(this.#now());'],
    ['if (found === undefined) throw new OrderNotFound();', 'if (found !== undefined) throw new OrderNotFound();'],
    ["if (decision === null || decision === 'sold') {", "if (decision !== null || decision === 'sold') {"],
    [
      "if (strategy.archivedAt !== null || strategy.automation === 'off') return { result: null };",
      "if (strategy.archivedAt === null || strategy.automation === 'off') return { result: null };",
    ],
    [
      'if (watcher.rules.signal === null) return this.#judgeNow(watcher, change);',
      'if (watcher.rules.signal !== null) return this.#judgeNow(watcher, change);',
    ],
  ]),
  ...by('events', [
    ["slot === null ? 'decision.exit' : 'decision.bet'", "slot !== null ? 'decision.exit' : 'decision.bet'"],
    ["isPaused ? 'strategy.paused' : 'strategy.resumed'", "isPaused ? 'strategy.resumed' : 'strategy.paused'"],
  ]),
  ...by('http', [
    [
      "if (accepted && plain && (coding === undefined || coding.toLowerCase() === 'identity')) return;",
      "if (accepted && plain && (coding !== undefined || coding.toLowerCase() === 'identity')) return;",
    ],
    [
      'if (inBody.length === 0 && refusal !== null) return refusal;',
      'if (inBody.length === 0 || refusal !== null) return refusal;',
    ],
    ['...(venue !== undefined && { venue }),', '...(venue === undefined && { venue }),'],
    ["kind: session === null ? KINDS[kind] : 'session',", "kind: session !== null ? KINDS[kind] : 'session',"],
    [
      'return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);',
      'return !Number.isNaN(date.getTime()) || date.toISOString().startsWith(day);',
    ],
    [
      'Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as Named<T>;',
      'Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null)) as Named<T>;',
    ],
    [
      "return method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];",
      "return method !== 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];",
    ],
    [
      "amount<T>({ holds: () => true, words: '0 or more', json: { minimum: 0 }, pattern: DECIMAL, example: 0.02 });",
      "amount<T>({ holds: () => false, words: '0 or more', json: { minimum: 0 }, pattern: DECIMAL, example: 0.02 });",
    ],
    ["'not-found': [404, 'Not found',", "'not-found': [410, 'Not found',"],
  ]),
  ...by('webhooks', [
    [
      'const isPassed = delivery.isPassed || tries >= TRIES_IN_ORDER;',
      'const isPassed = delivery.isPassed || tries > TRIES_IN_ORDER;',
    ],
    [
      'return from <= to ? from <= time && time < to : from <= time || time < to;',
      'return from <= to ? from <= time || time < to : from <= time || time < to;',
    ],
    ['worth: before.worth + fill.shares * fill.price,', 'worth: before.worth + fill.shares + fill.price,'],
    ["if (returned === NO_USDC) return 'lost';", "if (returned !== NO_USDC) return 'lost';"],
    [
      'return line.length <= LONGEST ? line : `${cutTo(line, LONGEST - 1)}\u2026`;',
      'return line.length < LONGEST ? line : `${cutTo(line, LONGEST - 1)}\u2026`;',
    ],
    [
      "const disable = (one: Endpoint) => (one.state === 'active' ? disabled(one, because, at) : one);",
      "const disable = (one: Endpoint) => (one.state !== 'active' ? disabled(one, because, at) : one);",
    ],
  ]),
  ...by('cli', [
    ['if (yes === true) return;', 'if (yes !== true) return;'],
    [
      'const order = { side, paper: live !== true, price, size, outcome: outcomeShown(token, label), isImmediate, postOnly };',
      'const order = { side, paper: live !== false, price, size, outcome: outcomeShown(token, label), isImmediate, postOnly };',
    ],
    [
      "if (isDone) return { text, body: read as Body, isReplayed: headerOf(delivery, 'idempotency-replayed') === 'true' };",
      "if (isDone) return { text, body: read as Body, isReplayed: headerOf(delivery, 'idempotency-replayed') === 'false' };",
    ],
    [
      'return `${Math.max(floor, Number(body.head) - (Number(limit) || 0), 0)}`;',
      'return `${Math.max(floor, Number(body.head) + (Number(limit) || 0), 0)}`;',
    ],
    [
      'if (report.wrong.length > 0) process.exitCode = EXIT.no;',
      'if (report.wrong.length >= 0) process.exitCode = EXIT.no;',
    ],
    [
      "const stops = options.onlyLive === true ? 'live' : undefined;",
      "const stops = options.onlyLive !== true ? 'live' : undefined;",
    ],
    ['usage: 64,', 'usage: 65,'],
  ]),
  ...by('sql', [
    [
      'decode: (cell) => (cell === null ? null : column.decode(cell)),',
      'decode: (cell) => (cell !== null ? null : column.decode(cell)),',
    ],
    ['day: day === null ? undefined : textIn(day),', 'day: day !== null ? undefined : textIn(day),'],
    ['fees: fees == null ? undefined : microIn<Usdc>(fees),', 'fees: fees != null ? undefined : microIn<Usdc>(fees),'],
    [
      "const flags = paper === undefined ? ['paper', 'money'] : [paper ? 'paper' : 'money'];",
      "const flags = paper !== undefined ? ['paper', 'money'] : [paper ? 'paper' : 'money'];",
    ],
    [
      'fills.toSorted((a, b) => a.n - b.n).map(({ fill }) => fill),',
      'fills.toSorted((a, b) => b.n - a.n).map(({ fill }) => fill),',
    ],
  ]),
  ...by('tape', [
    [
      'const own = this.set.approvals.all().filter((one) => one.account === account);',
      'const own = this.set.approvals.all().filter((one) => one.account !== account);',
    ],
    [
      'const own = strategies.all().filter((one) => one.account === account && one.archivedAt === null);',
      'const own = strategies.all().filter((one) => one.account !== account && one.archivedAt === null);',
    ],
  ]),
];
