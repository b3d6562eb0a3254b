// Reports about mails that were not delivered, in the forms in which Postfix, Exchange and Gmail send them.

interface Bounce {
  /** Of the mail that is returned. */
  messageKey: string;
  recipient: string;
  status: string;
  diagnostic: string;
  action?: 'failed' | 'delayed';
}

const report = (head: string[], boundary: string, parts: string[][]): string =>
  [
    ...head,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`,
    '',
  ].join('\r\n');

/** A report of Postfix, which returns the whole mail. */
export const postfixBounce = ({ messageKey, recipient, status, diagnostic, action = 'failed' }: Bounce): string =>
  report(
    [
      'Return-Path: <>',
      'From: MAILER-DAEMON@relay.test.example (Mail Delivery System)',
      'Subject: Undelivered Mail Returned to Sender',
      'To: bounces@test.example',
      'Auto-Submitted: auto-replied',
      'Message-ID: <20261201030405.5D0F3C9E2B@relay.test.example>',
    ],
    '5D0F3C9E2B.1764558245/relay.test.example',
    [
      [
        'Content-Description: Notification',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'The mail was not delivered.',
      ],
      [
        'Content-Description: Delivery report',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; relay.test.example',
        'X-Postfix-Queue-ID: 5D0F3C9E2B',
        'Arrival-Date: Tue,  1 Dec 2026 03:04:05 +0000 (GMT)',
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        `Original-Recipient: rfc822;${recipient}`,
        `Action: ${action}`,
        `Status: ${status}`,
        'Remote-MTA: dns; mx.school.test.example',
        `Diagnostic-Code: smtp; ${diagnostic.replace(' ', '\r\n    ')}`,
      ],
      [
        'Content-Description: Undelivered Message',
        'Content-Type: message/rfc822',
        '',
        'From: Storylark <no-reply@test.example>',
        `To: ${recipient}`,
        'Subject: Join us',
        `Message-ID: <${messageKey}@test.example>`,
        `X-Mail-ID: ${messageKey}`,
        '',
        'Hello,',
      ],
    ],
  );

/** A report of Exchange, which returns the headers and gives the exact status in its words. */
export const exchangeBounce = ({ messageKey, recipient, status, diagnostic, action = 'failed' }: Bounce): string =>
  report(
    [
      'From: Microsoft Outlook <MicrosoftExchange329e71ec@school.test.example>',
      'To: <bounces@test.example>',
      'Subject: Undeliverable: Join us',
      'Auto-Submitted: auto-replied',
      'X-MS-Exchange-Message-Is-Ndr: ',
      `In-Reply-To: <${messageKey}@test.example>`,
      `References: <${messageKey}@test.example>`,
    ],
    'c7f31c20-bb6a-4d4a-9d4e-2c1f36b4a2d1',
    [
      [
        'Content-Type: text/html; charset="us-ascii"',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<html><body><p>The address was not found.</p></body></html>',
      ],
      [
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns;LO2P265.GBRP265.PROD.TEST.EXAMPLE',
        'Received-From-MTA: dns;relay.test.example',
        '',
        `Final-Recipient: rfc822;${recipient}`,
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp;${diagnostic}`,
        'X-Display-Name: Office',
      ],
      ['Content-Type: text/rfc822-headers', '', 'From: Storylark <no-reply@test.example>', 'Subject: Join us'],
    ],
  );

/** A report of Gmail, whose mail service gave our mail another Message-ID. */
export const gmailBounce = ({ messageKey, recipient, status, diagnostic, action = 'failed' }: Bounce): string =>
  report(
    [
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.test.example>',
      'To: bounces@test.example',
      'Auto-Submitted: auto-replied',
      `X-Failed-Recipients: ${recipient}`,
      'References: <0100019387d0-another@mail.test.example>',
      'Subject: Delivery Status Notification (Failure)',
    ],
    '000000000000aa5c7e0625d0f3c9',
    [
      ['Content-Type: text/plain; charset="UTF-8"', '', '** Address not found **'],
      [
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; googlemail.test.example',
        'Arrival-Date: Mon, 30 Nov 2026 19:04:05 -0800 (PST)',
        'X-Original-Message-ID: <0100019387d0-another@mail.test.example>',
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${diagnostic}`,
        'Last-Attempt-Date: Mon, 30 Nov 2026 19:04:07 -0800 (PST)',
      ],
      [
        'Content-Type: message/rfc822',
        '',
        'Received: from relay.test.example',
        '        (relay.test.example. [203.0.113.5])',
        'Message-ID: <0100019387d0-another@mail.test.example>',
        `X-Mail-ID: ${messageKey}`,
        `To: ${recipient}`,
        'Subject: Join us',
        '',
        'Hello,',
      ],
    ],
  );
