// The upper limit: parses the JSON and answers with an order's 17 members; validates nothing and stores nothing.
import { createServer } from 'node:http';
import { answerTo } from './order.mjs';

const server = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.stringify(answerTo(req.method === 'POST' ? JSON.parse(Buffer.concat(chunks)) : {}));
    res.writeHead(req.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    res.end(body);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
