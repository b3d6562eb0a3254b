import { createRequire } from 'node:module';
import { api } from '#contract/api.ts';
import { type Document, listBreaks, listUnannounced } from '#contract/breaking-changes.ts';
import { openapiDocument } from '#contract/openapi.ts';

interface Finding {
  code: string | number;
  message: string;
  path: (string | number)[];
}
interface Spectral {
  setRuleset(ruleset: object): void;
  run(document: object): Promise<Finding[]>;
}

/** The OpenAPI document, and Spectral's findings in it by the rules that it recommends. */
export async function lintOpenapi(): Promise<{ document: object; operations: number; findings: string[] }> {
  // CommonJS packages whose types need more packages.
  const require = createRequire(import.meta.url);
  const { Spectral } = require('@stoplight/spectral-core') as { Spectral: new () => Spectral };
  const { oas } = require('@stoplight/spectral-rulesets') as { oas: object };
  const document = openapiDocument(api, 'Storylark');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const findings = await spectral.run(document);
  return {
    document,
    operations: Object.keys(api).length,
    findings: findings.map(({ code, message, path }) => `spectral ${code}: ${path.join('/')}: ${message}`),
  };
}

/** What the OpenAPI document has broken since it was recorded at the last release, and the changelog does not say. */
export function inspectContract(record: string, changelog: string): { recorded: number; findings: string[] } {
  const recorded = JSON.parse(record) as Document;
  const breaks = listBreaks(recorded, openapiDocument(api, 'Storylark') as unknown as Document);
  return {
    recorded: Object.keys(recorded.paths).length,
    findings: listUnannounced(breaks, changelog).map((text) => `CHANGELOG.md lacks this sentence: ${text}`),
  };
}
