// npm start: installs packages, builds the web app if necessary, and runs the portal.
import { buildWeb, installPackages, nodeBin, runTogether, showAndExit } from './setup.mjs';

try {
  await installPackages();
  await buildWeb();
  process.exitCode = await runTogether([[nodeBin, ['server/src/main.ts']]]);
} catch (error) {
  showAndExit(error);
}
