import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const CALLS = /\/contract\/src\/calls\/[\w-]+\.ts$/;
const CONTRACT = /\/contract\/src\/[\w/-]+\.ts(\?schemas)?$/;

interface Address {
  name: string;
  method: string;
  path: string;
  views?: object;
}
const isCall = (value: unknown): value is Address =>
  typeof value === 'object' && value !== null && 'permission' in value && 'path' in value;
const areCalls = (value: unknown): value is Record<string, Address> =>
  typeof value === 'object' && value !== null && Object.values(value).length > 0 && Object.values(value).every(isCall);

/**
 * Browsers need only the method and path of a declared call, and whether it is recorded as a view. Its schemas would load zod on every screen, so this
 * plugin removes them. Schemas declared on their own, such as the body of a form, stay importable, and only the
 * screens that use them load zod.
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
      // Declaring a schema has no side effects, so unused ones can be removed.
      return { ...found, id: own ? `${found.id}?schemas` : found.id, moduleSideEffects: false };
    },
    load(id) {
      return id.endsWith('?schemas')
        ? { code: readFileSync(id.slice(0, -'?schemas'.length), 'utf8'), moduleType: 'ts' }
        : null;
    },
    async transform(_code, id) {
      if (!CALLS.test(id)) return null;
      // Keyed by modification time, so that a development server sees changes.
      const address = `${pathToFileURL(id).href}?${statSync(id).mtimeMs}`;
      const module = (await import(address)) as Record<string, unknown>;
      const lines: string[] = [];
      const schemas: string[] = [];
      for (const [name, value] of Object.entries(module))
        if (areCalls(value)) {
          const calls = Object.values(value).map((call) => [
            call.name,
            { name: call.name, method: call.method, path: call.path, views: call.views },
          ]);
          lines.push(`export const ${name} = ${JSON.stringify(Object.fromEntries(calls))};`);
        } else schemas.push(name);
      if (schemas.length > 0) lines.push(`export { ${schemas.join(', ')} } from ${JSON.stringify(`${id}?schemas`)};`);
      return { code: lines.join('\n'), map: null };
    },
  };
}
