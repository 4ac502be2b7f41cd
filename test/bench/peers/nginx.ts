/** The peer of downloads: nginx with sendfile, which checks nothing, serving one file as `/file`. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { load } from '../load.ts';

const TRIES = 50;

export interface Nginx extends AsyncDisposable {
  readonly port: number;
}

/** Starts nginx over a copy of the stored file; null, and said, where there is none. */
export async function startNginx(
  stored: string,
  folder: string,
  say: (line: string) => void,
): Promise<Nginx | null> {
  const there = await promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  );
  if (!there) {
    say('  not measured against nginx: it is not on the PATH');
    return null;
  }
  const root = join(folder, 'nginx');
  await mkdir(join(root, 'files'), { recursive: true });
  await copyFile(stored, join(root, 'files', 'file'));
  const port = 20_000 + (process.pid % 20_000);
  await writeFile(
    join(root, 'nginx.conf'),
    `daemon off; master_process off; pid ${root}/pid; error_log ${root}/error.log;
     events {} http { access_log off; sendfile on; client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy;
     fastcgi_temp_path ${root}/fastcgi; uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
     server { listen 127.0.0.1:${port}; root ${root}/files; } }`,
  );
  const nginx = spawn('nginx', ['-p', root, '-c', join(root, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  for (let tries = 0; ; tries += 1) {
    try {
      await load({ port, path: () => '/file', headers: {}, connections: 1, times: 1 });
      break;
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(100);
    }
  }
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      nginx.kill('SIGTERM');
      await ended;
    },
  };
}
