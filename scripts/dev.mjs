// npm run dev: the server, restarted on change, and the web app with hot reload.
import { buildWeb } from './build-web.mjs';
import { installPackages } from './install.mjs';
import { nodeBin, runTogether, log, showAndExit, tool } from './setup.mjs';

const port = process.env.PORT ?? '8080';

try {
  await installPackages('product');
  // The server renders the pages without the app from a build.
  await buildWeb();
  log(`Open http://localhost:5173 (the server runs on port ${port}, to which Vite forwards API calls).`);
  const [command, vite] = tool('vite');
  process.exitCode = await runTogether([
    [nodeBin, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], { PORT: port, STAGE: 'development' }],
    [command, [vite, '--port', '5173', '--strictPort', '--clearScreen', 'false'], { PORT: port }],
  ]);
} catch (error) {
  showAndExit(error);
}
