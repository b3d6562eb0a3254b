import { type HostedInvoice, hostedInvoiceCalls } from '#contract/calls/hosted-invoices.ts';
import { vatByRate } from '#contract/money.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import { ApiError, isNotFound } from '../../../shared/api-error.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import type { GuestReply, GuestScreen, GuestVisit } from '../../../shell/guest-screen.ts';
import { Button, ButtonAnchor } from '../../../ui/Button.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { failureOf } from '../../../ui/GuestForm.tsx';
import { LoadFailure } from '../../../ui/LoadFailure.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { InvoiceStatus } from './components/InvoiceStatus.tsx';
import { periodText, yearlyText } from './model/package-texts.ts';
import css from './components/Invoice.module.css';

/** An invoice and how to pay it, for anyone with its link. */
export const hostedInvoiceScreen: GuestScreen = {
  access: 'open',
  load: async (visit) =>
    isPaidVisit(visit) && visit.user ? { kind: 'redirect', to: paths.thanks() } : showInvoice(visit),
  post: payByCard,
};

/** Whether the visitor returns from the page where a card is entered. */
const isPaidVisit = ({ query }: GuestVisit): boolean => query.get('payment') === 'received';

/** @param failure why the card payment has not started */
async function showInvoice(visit: GuestVisit, failure?: ApiError): Promise<GuestReply> {
  const { token = '' } = visit.params;
  try {
    const { invoice } = await call(hostedInvoiceCalls.getHostedInvoice, { params: { invoiceToken: token } });
    return {
      kind: 'page',
      ...(failure && failureOf(failure)),
      content: <HostedInvoicePage invoice={invoice} token={token} hasPaid={isPaidVisit(visit)} failure={failure} />,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) throw error;
    const content = isNotFound(error) ? <MissingInvoice /> : <LoadFailure title="Invoice" error={error} />;
    return { kind: 'page', ...failureOf(error), content };
  }
}

async function payByCard(visit: GuestVisit): Promise<GuestReply> {
  const { token = '' } = visit.params;
  try {
    const { url } = await call(hostedInvoiceCalls.payInvoiceByCard, { params: { invoiceToken: token } });
    return { kind: 'page', content: <LeavePage url={url} />, leavesTo: url };
  } catch (error) {
    if (error instanceof ApiError) return showInvoice(visit, error);
    throw error;
  }
}

/** Opens the page where the card is entered, on another site. */
const LeavePage = ({ url }: { url: string }) => (
  <>
    <PageHeader title="Pay by card" />
    <p>
      <a href={url}>Continue to the card payment</a>
    </p>
  </>
);

/** For a link that leads to no invoice. */
const MissingInvoice = () => (
  <>
    <PageHeader title="Invoice" />
    <Notice kind="warning">We cannot find an invoice with this link. Check that the link is complete.</Notice>
  </>
);

interface Props {
  invoice: HostedInvoice;
  token: string;
  /** The visitor returns from the page where a card is entered. */
  hasPaid: boolean;
  /** Why the card payment has not started. */
  failure: ApiError | undefined;
}

function HostedInvoicePage({ invoice, token, hasPaid, failure }: Props) {
  const isPayable = canBePaidHere(invoice);
  return (
    <div data-wide>
      <PageHeader
        title={isPayable ? `Invoice ${invoice.number}` : 'How to pay'}
        lead={isPayable ? undefined : `Invoice ${invoice.number}`}
      />
      {hasPaid && invoice.status === 'open' && (
        <Notice isOutcome kind="success">
          Thank you. We have received your payment. It can take a minute until this page shows it.
        </Notice>
      )}
      <Invoice invoice={invoice} token={token} failure={failure} />
    </div>
  );
}

/** False for an unpaid invoice without card payment and bank details: the page then says who to contact. */
const canBePaidHere = ({ status, can_pay_by_card, bank_account }: HostedInvoice): boolean =>
  status !== 'open' || can_pay_by_card || bank_account !== null;

function Invoice({ invoice, token, failure }: Omit<Props, 'hasPaid'>) {
  const { content } = invoice;
  return (
    <>
      <div className={`row spread below-2xl ${css.head}`}>
        <div>
          <p className={`figures flat ${css.total}`}>{formatExactMoney(invoice.total)}</p>
          <p className={`soft ${css.state}`}>
            <InvoiceStatus status={invoice.status} /> <span>{stateText(invoice)}</span>
          </p>
        </div>
        <FormActions>
          <ButtonAnchor variant="default" href={new URL(invoice.invoice_pdf).pathname}>
            Download Invoice
          </ButtonAnchor>
        </FormActions>
      </div>
      {invoice.status === 'open' && <HowToPay invoice={invoice} token={token} failure={failure} />}
      <div className={`fitted ${css.parties}`}>
        <Party title="From" name={content.seller.name} lines={[...content.seller.address, content.seller.email]}>
          {content.seller.vat_number && <span>VAT number {content.seller.vat_number}</span>}
        </Party>
        <Party title="Billed to" name={content.school} lines={content.bill_to} />
        <Party
          title="Details"
          name={invoice.number}
          lines={[
            `Issued ${formatDate(invoice.issued_at)}`,
            `Due ${formatDate(invoice.due_date)}`,
            ...(invoice.po_number ? [`Purchase order ${invoice.po_number}`] : []),
          ]}
        />
      </div>
      <table className={css.lines}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {content.lines.map(({ text, detail, amount }, index) => (
            <tr key={index}>
              <td>
                {text}
                <span className="soft block">
                  {detail}: {periodText(content.period)}
                </span>
              </td>
              <td>{formatExactMoney(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Sum name="Subtotal without VAT" amount={invoice.subtotal} />
          {vatByRate(content.lines).map(({ rate, vat }, _, { length }) => (
            <Sum
              key={rate}
              name={rate > 0 ? `VAT at ${rate / 100}%` : 'VAT: none charged'}
              amount={length === 1 ? invoice.vat : vat}
            />
          ))}
          <Sum name="Total" amount={invoice.total} />
        </tfoot>
      </table>
      {content.due_yearly && (
        <p className="soft flat above-l">
          Then {yearlyText(content.due_yearly)}, without VAT, if the school renews at the current price.
        </p>
      )}
    </>
  );
}

function stateText({ status, is_overdue, due_date, paid_on, credit_note }: HostedInvoice): string {
  if (status === 'open') return `${is_overdue ? 'was due' : 'due'} by ${formatDate(due_date)}`;
  if (status === 'paid' && paid_on) return `on ${formatDate(paid_on)}`;
  if (credit_note) return `by credit note ${credit_note.number}: ${credit_note.reason}`;
  return 'You do not need to pay anything.';
}

function HowToPay({ invoice, token, failure }: Omit<Props, 'hasPaid'>) {
  const { bank_account: bank, content } = invoice;
  const { seller } = content;
  return (
    <section className={css.pay} aria-labelledby="how-to-pay">
      <h2 id="how-to-pay">{canBePaidHere(invoice) ? 'How to pay' : 'By bank transfer'}</h2>
      {failure && <ErrorNotice error={failure} />}
      {invoice.can_pay_by_card && (
        <form method="post" action={paths.hostedInvoice(token)}>
          <FormActions>
            <Button type="submit">Pay {formatExactMoney(invoice.total)} by card</Button>
          </FormActions>
        </form>
      )}
      {bank ? (
        <dl className="facts">
          <Fact name="Bank transfer to" text={bank.name} />
          <Fact name="Sort code" text={bank.sort_code} />
          <Fact name="Account number" text={bank.number} />
          <Fact name="Reference" text={invoice.number} />
        </dl>
      ) : (
        <p>
          Use {invoice.number} as the reference. Ask{' '}
          <a href={`mailto:${seller.email}?subject=${encodeURIComponent(invoice.number)}`}>{seller.email}</a> for our
          bank details.
        </p>
      )}
    </section>
  );
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

const Sum = ({ name, amount }: { name: string; amount: number }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{formatExactMoney(amount)}</td>
  </tr>
);

interface PartyProps {
  title: string;
  name: string;
  lines: readonly string[];
  children?: React.ReactNode;
}

const Party = ({ title, name, lines, children }: PartyProps) => (
  <section>
    <h2>{title}</h2>
    <strong>{name}</strong>
    {lines.map((line, index) => (
      <span key={index}>{line}</span>
    ))}
    {children}
  </section>
);
