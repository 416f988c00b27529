import { FakePolymarketRest } from '../../test/support/fake-polymarket/rest.js';
import { FakeMarketSocket } from '../../test/support/fake-polymarket/socket.js';
import { aGame, booksOf, changeOf, MARKETS } from '../generated-venue.js';

// The venue in a process of its own, so that its memory is not counted. It ends with its parent.
const rest = await FakePolymarketRest.start();
const socket = await FakeMarketSocket.start();
for (let number = 1; number <= MARKETS; number++) {
  rest.markets.push(aGame(number));
  for (const [token, book] of booksOf(number)) {
    rest.books.set(token, book);
    socket.dumps.set(token, book);
  }
}
process.on('message', () => {
  for (let number = 1; number <= MARKETS; number++) socket.send(changeOf(number));
});
process.on('disconnect', () => process.exit());
process.send?.([rest.gamma.href, rest.clob.href, socket.url]);
