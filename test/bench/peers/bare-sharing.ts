/**
 * The floor of the sharing protocol: a bare HTTP server that answers every query with the same stored lines, and every
 * file as it lies on the disk, unchecked. Started with the file of the lines and the folder of the store; prints its port.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

const [linesPath = '', folder = ''] = process.argv.slice(2);
const lines = readFileSync(linesPath);

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': lines.length });
    response.end(lines);
    return;
  }
  const path = join(folder, request.url ?? '');
  response.writeHead(200, { 'content-length': statSync(path).size });
  createReadStream(path, { highWaterMark: 1024 * 1024 }).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
