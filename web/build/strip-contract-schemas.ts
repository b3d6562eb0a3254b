import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const CALLS = /\/contract\/src\/calls\/[\w-]+\.ts$/;
const CONTRACT = /\/contract\/src\/[\w/-]+\.ts(\?schemas)?$/;
const DECLARED = /^export const (\w+) = declareCall\(\{\s*method: '(\w+)',\s*path: '([^']+)'/gm;
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/**
 * Of a declared call the browser needs the method and the path; its types cost nothing, but its schemas
 * would bring zod to every screen. So a call arrives without them here. Schemas that stand by themselves
 * (the body of a form) come from the same import as ever, and only the screens that use them load zod.
 */
export function stripContractSchemas(): Plugin {
  return {
    name: 'strip-contract-schemas',
    enforce: 'pre',
    async resolveId(source, importer) {
      const own = source.endsWith('?schemas');
      if (!own && !(importer && /#contract\/|^\.\.?\//.test(source))) return null;
      const found = await this.resolve(own ? source.slice(0, -'?schemas'.length) : source, importer, {
        skipSelf: true,
      });
      if (!found || !CONTRACT.test(found.id)) return null;
      // Declaring a schema changes nothing: what nobody uses can go.
      return { ...found, id: own ? `${found.id}?schemas` : found.id, moduleSideEffects: false };
    },
    load(id) {
      return id.endsWith('?schemas')
        ? { code: readFileSync(id.slice(0, -'?schemas'.length), 'utf8'), moduleType: 'ts' }
        : null;
    },
    transform(code, id) {
      if (!CALLS.test(id)) return null;
      const calls = [...code.matchAll(DECLARED)];
      if (calls.length !== code.split('= declareCall(').length - 1)
        this.error(`A call in ${id} does not begin with its method and path`);
      const names = new Set(calls.map(([, name]) => name));
      const schemas = [...code.matchAll(EXPORTED)].map(([, name]) => name).filter((name) => !names.has(name));
      const lines = calls.map(
        ([, name, method, path]) => `export const ${name} = ${JSON.stringify({ method, path })};`,
      );
      if (schemas.length > 0) lines.push(`export { ${schemas.join(', ')} } from ${JSON.stringify(`${id}?schemas`)};`);
      return { code: lines.join('\n'), map: null };
    },
  };
}
