import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

type Claims = Record<string, unknown>;

const CLIENT = { id: '0f0f0f0f-1111-4222-8333-444444444444', secret: 'a-secret-of-the-portal' };

/** A provider of OpenID Connect with accounts, whose tokens a test can change before they are signed. */
export interface TestProvider {
  issuer: string;
  client: typeof CLIENT;
  /** Adds an account with claims. Its ID is its `sub`. */
  addAccount(id: string, claims?: Claims): void;
  /** Changes the claims of ID tokens; undefined for none. */
  changeToken: ((claims: Claims) => Claims) | undefined;
  /** Signs with another key from now on, and publishes it. */
  rotateKey(): void;
  /** Signs the next token with a key that is not published, under the name of the published one. */
  forgeNext(): void;
  /** Answers a code that was used with the last token again, as a provider that does not check it. */
  repeatsTokens: boolean;
  /** Answers no request while it is true. */
  isDown: boolean;
  /** Signs in at an authorization URL as this account, as a browser does. Returns the URL of the callback. */
  signIn(url: string, accountId: string): Promise<string>;
  stop(): Promise<void>;
}

interface Key {
  id: string;
  privateKey: KeyObject;
  publicJwk: object;
}

let keys = 0;
function makeKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = `key-${(keys += 1)}`;
  return { id, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' } };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function signToken(claims: Claims, { id, privateKey }: Key): string {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: id })}.${encode(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;

const page = (uid: string): string =>
  `<!doctype html><html lang="en"><title>Test provider</title><h1>Test provider</h1>
<form action="/interaction/${uid}/end"><label>Account <input name="account"></label><button>Continue</button></form></html>`;

/** Starts a provider on a free port of this machine. */
export async function startTestProvider(): Promise<TestProvider> {
  const accounts = new Map<string, Claims>();
  let key = makeKey();
  let forged: Key | undefined;
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['https://portal.test.example/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    // Its own key, which no token in the end has: they are signed again below.
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookies of a test'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'tid', 'oid', 'hd', 'email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    findAccount: (_context, id) => {
      const claims = accounts.get(id);
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (url: string) => url.endsWith('/callback');

  const self: TestProvider = {
    issuer,
    client: CLIENT,
    addAccount: (id, claims = {}) => void accounts.set(id, claims),
    changeToken: undefined,
    rotateKey: () => void (key = makeKey()),
    forgeNext: () => void (forged = { ...makeKey(), id: key.id }),
    repeatsTokens: false,
    isDown: false,
    signIn,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };

  let lastToken: unknown;
  provider.use(async (context, next) => {
    const [, uid, isEnd] = /^\/interaction\/([\w-]+)(\/end)?$/.exec(context.path) ?? [];
    if (uid !== undefined && !isEnd) {
      context.type = 'html';
      context.body = page(uid);
      return;
    }
    if (uid !== undefined) {
      const accountId = String(context.query.account);
      context.redirect(await provider.interactionResult(context.req, context.res, { login: { accountId } }));
      return;
    }
    await next();
    if (context.path === '/jwks') context.body = { keys: [key.publicJwk] };
    const reply = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && reply?.id_token) {
      const claims = claimsOf(reply.id_token);
      context.body = { ...reply, id_token: signToken(self.changeToken?.(claims) ?? claims, forged ?? key) };
      forged = undefined;
      lastToken = context.body;
    } else if (context.path === '/token' && self.repeatsTokens) {
      context.status = 200;
      context.body = lastToken;
    }
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (self.isDown) request.socket.destroy();
    else void answer(request, response);
  });

  async function signIn(url: string, accountId: string): Promise<string> {
    const cookies = new Map<string, string>();
    if (!URL.canParse(url)) throw new Error(`The portal leads to ${url} instead of the provider.`);
    const first = new URL(url);
    // Microsoft and Google have a page on which to choose an account.
    first.searchParams.delete('prompt');
    let next = first.href;
    for (let step = 0; step < 8; step += 1) {
      if (!next.startsWith(issuer)) return next;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of reply.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = reply.headers.get('location');
      if (location) next = new URL(location, next).href;
      else if (/\/interaction\/[\w-]+$/.test(next)) next = `${next}/end?account=${encodeURIComponent(accountId)}`;
      else throw new Error(`The provider answered ${reply.status}: ${await reply.text()}`);
    }
    throw new Error('The provider does not lead back.');
  }
  return self;
}

/** A portal's settings for signing in at this provider. */
export const settingsFor = ({ issuer, client }: TestProvider, name = 'Trust'): Record<string, string> => ({
  OIDC_PRIVATE_NETWORK: 'on',
  OIDC_PROVIDERS: JSON.stringify([{ id: 'trust', name, issuer, client_id: client.id, client_secret: client.secret }]),
});
