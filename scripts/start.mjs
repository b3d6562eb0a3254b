// npm start: installs packages, builds the web app if necessary, and runs the portal.
import { buildWeb } from './build-web.mjs';
import { installPackages } from './install.mjs';
import { nodeBin, runTogether, showAndExit } from './setup.mjs';

try {
  await installPackages('product');
  await buildWeb();
  process.exitCode = await runTogether([[nodeBin, ['server/src/main.ts']]]);
} catch (error) {
  showAndExit(error);
}
