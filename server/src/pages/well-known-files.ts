import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';

const DAY_S = 86_400;
/** RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/** Files that browsers, password managers and security researchers look for, made from the settings. */
export function serveWellKnownFiles(app: FastifyInstance, { config, clock }: Pick<Services, 'config' | 'clock'>): void {
  const manifest = JSON.stringify({
    name: config.productName,
    short_name: config.productName,
    start_url: '/',
    display: 'browser',
    background_color: '#faf8f4',
    theme_color: '#faf8f4',
    icons: [192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
  });
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', `public, max-age=${DAY_S}`).send(manifest),
  );
  // https://w3c.github.io/webappsec-change-password-url/
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account'));
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(clock.now().getTime() + SECURITY_TXT_DAYS * DAY_S * 1000);
    const lines = [
      `Contact: mailto:${config.support.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${config.publicUrl}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
  app.get('/security.txt', (_request, reply) => reply.redirect('/.well-known/security.txt'));
}
