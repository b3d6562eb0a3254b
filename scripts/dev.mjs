// npm run dev: the server, restarted on change, and the web app from Vite, updated in place.
import { installPackages, nodeBin, runTogether, log, showAndExit, tool } from './setup.mjs';

try {
  await installPackages();
  log('Open http://localhost:5173 (the server answers on 8080, where vite.config.ts sends its calls).');
  const [command, vite] = tool('vite');
  process.exitCode = await runTogether([
    [nodeBin, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], { PORT: '8080', STAGE: 'development' }],
    [command, [vite, '--port', '5173', '--strictPort', '--clearScreen', 'false']],
  ]);
} catch (error) {
  showAndExit(error);
}
