import { topLevelDomains } from '#contract/fields.ts';
import allTopLevelDomains from 'tlds' with { type: 'json' };

/** Makes the contract's rule against addresses in names know every top-level domain. */
export function loadTopLevelDomains(): void {
  for (const name of allTopLevelDomains) topLevelDomains.add(name.normalize('NFKC'));
}
