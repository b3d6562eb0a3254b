import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

/** Returns a function that tells whether a request comes from a proxy in `TRUST_PROXY`, and so its headers can be believed. */
export function createProxyCheck({ trustProxy }: Pick<Config, 'trustProxy'>): (request: IncomingMessage) => boolean {
  if (!trustProxy) return () => false;
  const isProxy = compile(trustProxy.split(',').map((entry) => entry.trim()));
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && isProxy(remoteAddress, 0);
}
