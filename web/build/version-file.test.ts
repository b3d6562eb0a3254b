import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { versionFile } from './version-file.ts';

interface Hooks {
  transformIndexHtml: { handler(html: string, context: object): { tags: { attrs: { content: string } }[] } };
  writeBundle(options: { dir: string }): void;
}

it('the version file has the hash of the page and the release', () => {
  const dir = mkdtempSync(join(tmpdir(), 'portal-version-'));
  const plugin = versionFile() as unknown as Hooks;
  const { tags } = plugin.transformIndexHtml.handler('<html>', { bundle: { 'a-1.js': {} } });
  plugin.writeBundle({ dir });
  const written: unknown = JSON.parse(readFileSync(join(dir, 'version.json'), 'utf8'));
  rmSync(dir, { recursive: true });
  expect(written).toEqual({ hash: tags[0]?.attrs.content, version: manifest.version });
});
