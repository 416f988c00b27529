/** Requests that give the pages something to show, on a server that plays `examples/two-markets.jsonl`. */
export async function makeLively(url: string): Promise<void> {
  const send = async (method: string, path: string, body: object): Promise<Response> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  };
  await send('PUT', '/v1/limits', {
    daily_loss_usdc: '500',
    drawdown_usdc: '1000',
    exposure_usdc: '400',
    daily_stake_usdc: '600',
    open_orders: 40,
  });
  const strategy = (name: string, automation: string, rules: object) =>
    send('POST', '/v1/strategies', { name, sport: 'soccer', bankroll_cap: '1000', stake_cap: '50', automation, rules });
  const home = (more: object) => ({
    match: { league: 'epl', market: 'moneyline' },
    outcome: { index: 0 },
    phase: 'in_play',
    filter: { min_odds: 1.7, max_odds: 3.0, side: 'BACK' },
    sizing: { method: 'fixed_fraction', value: 0.02 },
    ...more,
  });
  await strategy('Home while it is cheap', 'auto', home({}));
  await strategy('Home, asked first', 'approve', home({}));
  await strategy('Long shots', 'auto', home({ filter: { min_odds: 3.5, side: 'BACK' } }));
  await bookComes(url);
  const order = (market: string, token: string, price: string, size: string) =>
    send('POST', '/v1/exchange/orders', { market_id: market, token, price, size_usdc: size });
  await order('home-away', 'YES', '0.6', '14');
  await order('home-away', 'NO', '0.6', '20');
  await order('bucks-thunder', 'YES', '0.3', '25');
  await order('bucks-thunder', 'NO', '0.9', '30');
}

/** The first book of the recording comes after a second of it. */
async function bookComes(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/exchange/markets/home-away/book`);
    if (response.ok && ((await response.json()) as { fresh: boolean }).fresh) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
