import type { TestApp } from './app.ts';
import type { TestProvider } from './sign-in-provider.ts';

/** A browser that signs in at the provider of a test: its cookies, and where the portal sends it. */
export class ProviderBrowser {
  cookies = new Map<string, string>();
  private readonly app: Pick<TestApp, 'fastify'>;
  private readonly provider: TestProvider;
  constructor(app: Pick<TestApp, 'fastify'>, provider: TestProvider, sessionToken?: string) {
    this.app = app;
    this.provider = provider;
    if (sessionToken) this.cookies.set('__Host-session', sessionToken);
  }
  /** @param from whose page leads to this path */
  async get(path: string, from: 'same-origin' | 'cross-site' = 'cross-site') {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await this.app.fastify.inject({
      method: 'GET',
      url: path,
      headers: { cookie, 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': from },
    });
    for (const { name, value } of reply.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: reply.statusCode, to: String(reply.headers.location), cookies: reply.cookies };
  }
  /** Begins at this path and signs in at the provider. Returns the path of the callback. */
  async signIn(path: string, accountId: string): Promise<string> {
    const { to } = await this.get(path, 'same-origin');
    const url = new URL(await this.provider.signIn(to, accountId));
    return url.pathname + url.search;
  }
  /** The whole sign-in; returns where it ends. */
  async finish(path: string, accountId: string): Promise<string> {
    return (await this.get(await this.signIn(path, accountId))).to;
  }
  get session(): string | undefined {
    return this.cookies.get('__Host-session');
  }
}
