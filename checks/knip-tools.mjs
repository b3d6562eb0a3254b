// Knip reads the packages of a folder for the files inside it. Those of tools/package.json are for files in every folder.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const { dependencies, devDependencies } = read('../package.json');
const tools = read('../tools/package.json').devDependencies;

/** Files that `npm start` runs or builds, which cannot import a package of tools/package.json. */
const isProduct = (path) =>
  /^((content|contract|seeds|server|web)\/|vite\.config\.ts$)/.test(relative(process.cwd(), path)) &&
  !/\.test\.tsx?$|\/testing\//.test(path);

/** Removes the issues of a kind for which `test` is true, and returns their symbols. */
function take(kind, { issues, counters }, test) {
  const symbols = [];
  for (const ofFile of Object.values(issues[kind]))
    for (const [key, issue] of Object.entries(ofFile))
      if (test(issue)) {
        symbols.push(issue.symbol);
        delete ofFile[key];
        counters[kind] -= 1;
      }
  return symbols;
}

/** Reports a package of tools/package.json as unused or unlisted only when no file uses it, or one of the product does. */
export default (options) => {
  const isUsedTool = ({ symbol, filePath }) => tools[symbol] && !isProduct(filePath);
  const used = new Set([
    ...Object.keys({ ...dependencies, ...devDependencies }),
    ...take('unlisted', options, isUsedTool),
  ]);
  const isUsed = (name) => used.has(name) || (name.startsWith('@types/') && used.has(name.slice('@types/'.length)));
  take('devDependencies', options, ({ symbol, filePath }) => filePath.endsWith('tools/package.json') && isUsed(symbol));
  return options;
};
