import type { Config } from '../config.ts';

/** The pages use none of these, so injected scripts cannot either. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * The security headers of every reply, computed once. The list is helmet's: https://helmetjs.github.io
 * @param scriptHashes CSP sources (`'sha256-…'`) of inline scripts
 */
export function securityHeaders(config: Config, scriptHashes: readonly string[]): Record<string, string> {
  const originOf = (url: string | undefined) => (url ? ` ${new URL(url).origin}` : '');
  const content = originOf(config.contentUrl);
  const contentSecurityPolicy = [
    "default-src 'self'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${content}`,
    "font-src 'self'",
    `connect-src 'self'${content}`,
    `frame-src 'self'${content}${originOf(config.enquiryFormUrl)}`,
    `media-src 'self'${originOf(config.staticFilesUrl)}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': contentSecurityPolicy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS_POLICY,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(config.publicUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}
