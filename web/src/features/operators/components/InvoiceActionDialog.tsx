import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import type { BilledInvoice } from '#contract/calls/billing-console.ts';
import { optionalLine } from '#contract/fields.ts';
import { formatExactMoney } from '../../../shared/format.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { type InvoiceAction, useActOnInvoice } from '../billing-console.api.ts';

type Kind = InvoiceAction['kind'];

const ACTIONS: Record<Kind, { label: string; button: string; done: string; consequence: string }> = {
  paid: {
    label: 'It was paid by bank transfer',
    button: 'Mark as paid',
    done: 'is marked as paid',
    consequence: 'A locked school is open again at once.',
  },
  uncollectible: {
    label: 'It will not be paid',
    button: 'Mark as uncollectible',
    done: 'is marked as uncollectible',
    consequence: 'What was bought with it ends today; an upgrade or extension goes back to what there was before.',
  },
  credit: {
    label: 'Issue a credit note over all of it',
    button: 'Issue credit note',
    done: 'is credited',
    consequence: 'Money that was paid has to be sent back outside of the portal.',
  },
};

/** What can be done from each state. */
const POSSIBLE: Record<BilledInvoice['status'], readonly Kind[]> = {
  open: ['paid', 'uncollectible', 'credit'],
  paid: ['credit'],
  uncollectible: ['paid', 'credit'],
  credited: [],
};

/** Settles an invoice in one of the ways that its state allows. */
export const InvoiceActionDialog = ({ invoice, onClose }: { invoice: BilledInvoice | null; onClose: () => void }) => (
  <Dialog isOpen={invoice !== null} onClose={onClose} title={invoice ? `Settle ${invoice.number}` : ''}>
    {invoice && <Settle invoice={invoice} onClose={onClose} />}
  </Dialog>
);

const settleForm = z.object({ note: optionalLine('note', 100) });

function Settle({ invoice, onClose }: { invoice: BilledInvoice; onClose: () => void }) {
  const kinds = POSSIBLE[invoice.status];
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'credit');
  const [ends, setEnds] = useState(false);
  const act = useActOnInvoice(invoice.number);
  const form = useSchemaForm({ schema: settleForm, initialValues: { note: '' } });
  const { button, done, consequence } = ACTIONS[kind];
  const submit = form.onSubmit(async ({ note }) => {
    await act.mutateAsync(actionOf(kind, note, ends));
    showToast(`${invoice.number} ${done}`);
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={button}>
      <p>
        {formatExactMoney(invoice.total)} of {invoice.school.name}. What you do is kept in the school’s audit log.
      </p>
      <Radio.Group label="What happened?" value={kind} onChange={(value) => setKind(value)}>
        {kinds.map((value) => (
          <Radio key={value} value={value} label={ACTIONS[value].label} mt="xs" />
        ))}
      </Radio.Group>
      <p>{consequence}</p>
      {kind === 'credit' && (
        <Checkbox
          checked={ends}
          onChange={(event) => setEnds(event.currentTarget.checked)}
          label="End what was bought with it today"
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
