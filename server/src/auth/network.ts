import ipaddr from 'ipaddr.js';
import { digestSecret, type KeyConfig } from './secrets-key.ts';

const PURPOSE = 'network of a login';

/**
 * The network that counts as one place: an IPv4 address, behind which a site usually has all its devices, or the /48 of an
 * IPv6 address, which is what a site is given (RIPE-690). See docs/decisions/known-devices.md.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 3).join(':') : parsed.toString();
}

/**
 * The keyed digests of the network of an address, one for each key; store the first. Keyed, because all networks can be
 * tried against a plain hash.
 * @param owner whose network it is, so that the digests of two owners cannot be compared
 */
export const digestNetwork = (config: KeyConfig, owner: string, address: string): [Buffer, ...Buffer[]] =>
  digestSecret(config, PURPOSE, `${owner} ${networkOf(address)}`);
