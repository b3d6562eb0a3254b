import { Checkbox, RadioButtons } from '../../../../ui/Checkbox.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { z } from 'zod';
import type { BilledInvoice } from '#contract/calls/billing-console.ts';
import { optionalLine } from '#contract/fields.ts';
import { formatExactMoney } from '../../../../shared/format.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { type InvoiceAction, useSettleInvoice } from '../billing-console.api.ts';

type Kind = InvoiceAction['kind'];

const ACTIONS: Record<Kind, { label: string; button: string; done: string; consequence: string }> = {
  paid: {
    label: 'It was paid by bank transfer',
    button: 'Mark as paid',
    done: 'is marked as paid',
    consequence: 'A locked school is unlocked at once.',
  },
  uncollectible: {
    label: 'It will not be paid',
    button: 'Mark as uncollectible',
    done: 'is marked as uncollectible',
    consequence: 'The purchase ends today. An upgrade or extension goes back to the package before.',
  },
  credit: {
    label: 'Issue a credit note for the whole invoice',
    button: 'Issue credit note',
    done: 'is credited',
    consequence: 'Refund any payment outside the portal.',
  },
};

/** The actions that each status allows. */
const ALLOWED_ACTIONS: Record<BilledInvoice['status'], readonly Kind[]> = {
  open: ['paid', 'uncollectible', 'credit'],
  paid: ['credit'],
  uncollectible: ['paid', 'credit'],
  credited: [],
};

/** Settles an invoice with an action that its status allows. */
export const InvoiceActionDialog = ({ invoice, onClose }: { invoice: BilledInvoice | null; onClose: () => void }) => (
  <Dialog
    isOpen={invoice !== null}
    onClose={onClose}
    title={invoice ? `${invoice.status === 'paid' ? 'Credit' : 'Settle'} ${invoice.number}` : ''}
  >
    {invoice && <Settle invoice={invoice} onClose={onClose} />}
  </Dialog>
);

const settleForm = z.object({ note: optionalLine('note', 100) });

function Settle({ invoice, onClose }: { invoice: BilledInvoice; onClose: () => void }) {
  const kinds = ALLOWED_ACTIONS[invoice.status];
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'credit');
  const [ends, setEnds] = useState(false);
  const settle = useSettleInvoice(invoice.number);
  const form = useSchemaForm({ schema: settleForm, initialValues: { note: '' } });
  const { button, done, consequence } = ACTIONS[kind];
  const submit = form.onSubmit(async ({ note }) => {
    await settle.mutateAsync(actionOf(kind, note, ends));
    showToast(`${invoice.number} ${done}`);
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={button}>
      <p>
        {formatExactMoney(invoice.total)} from {invoice.school.name}. We record what you do in the school’s audit log.
      </p>
      <RadioButtons
        label="What happened?"
        value={kind}
        onChange={setKind}
        data={kinds.map((value) => ({ value, label: ACTIONS[value].label }))}
      />
      <p>{consequence}</p>
      {kind === 'credit' && (
        <Checkbox
          checked={ends}
          onChange={(event) => setEnds(event.currentTarget.checked)}
          label="End the purchase today"
        />
      )}
      <TextInput
        {...form.field('note')}
        label={kind === 'paid' ? 'Reference of the payment (optional)' : 'Reason'}
        autoComplete="off"
      />
    </DialogForm>
  );
}

function actionOf(kind: Kind, note: string | null, ends: boolean): InvoiceAction {
  if (kind === 'paid') return { kind, body: note ? { reference: note } : {} };
  const reason = note ?? '';
  return kind === 'credit' ? { kind, body: { reason, ends_subscription: ends } } : { kind, body: { reason } };
}
