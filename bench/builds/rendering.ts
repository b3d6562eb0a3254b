import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inTurns } from '../harness/rounds.ts';
import type { Build, Builds, Comparison } from './comparison.ts';

const PAGES = { Dashboard: '/', Pupils: '/pupils', Class: '/classes/2', Library: '/classes/2/books' };
const MAX_RATIO = 0.55;

const startRenderer = ({ root, url }: Build): ChildProcess =>
  fork(join(import.meta.dirname, 'renderer.ts'), [root, url, ...Object.values(PAGES)], {
    env: { NODE_ENV: 'production' },
    // Warnings of the build that is measured.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

/** How long does each build render a page, without the API and its SQL? */
export async function compareRendering(builds: Builds, rounds: number): Promise<Comparison[]> {
  const renderers = { other: startRenderer(builds.other), own: startRenderer(builds.own) };
  const render = (renderer: ChildProcess) => async () => {
    renderer.send('render');
    const [times] = (await Promise.race([
      once(renderer, 'message'),
      once(renderer, 'exit').then(() => Promise.reject(new Error('A renderer ended.'))),
    ])) as [Record<string, number>];
    return times;
  };
  const medianOf = await inTurns(
    { rounds, seconds: 0 },
    { other: render(renderers.other), own: render(renderers.own) },
  );
  for (const renderer of Object.values(renderers)) renderer.disconnect();
  return Object.entries(PAGES).map(([name, path]) => ({
    what: `${name}: rendering, processor time`,
    other: medianOf(({ other }) => other[path] ?? NaN),
    own: medianOf(({ own }) => own[path] ?? NaN),
    unit: 'ms',
    limit: { ratio: MAX_RATIO },
  }));
}
