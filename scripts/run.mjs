// npm run bench, guides, chaos, format: runs a file with these arguments after installing the packages of checks and tests.
import { installPackages } from './install.mjs';
import { nodeBin, runTogether, showAndExit } from './setup.mjs';

try {
  await installPackages('all');
  process.exitCode = await runTogether([[nodeBin, process.argv.slice(2)]]);
} catch (error) {
  showAndExit(error);
}
