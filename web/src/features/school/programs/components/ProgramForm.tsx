import { useState } from 'react';
import { type Program, programBody } from '#contract/calls/programs.ts';
import { PROGRAM_REMINDER_DAYS, PROGRAM_SCOPES, type ProgramScope, SCOPE_TEXTS } from '#contract/programs.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { RadioButtons } from '../../../../ui/Checkbox.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { NativeSelect, TextInput } from '../../../../ui/Field.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useChangeProgram, useMakeProgram } from '../programs.api.ts';
import { Checkboxes } from './Checkboxes.tsx';
import css from './Programs.module.css';

export interface ClassChoice {
  id: number;
  name: string;
}

interface Props {
  /** The program to change. Without it, a new one is made. */
  program: Program | undefined;
  classes: readonly ClassChoice[];
  onClose: () => void;
  onMade: (name: string, token: string) => void;
}

const DURATIONS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '6 months' },
  { value: '365', label: '1 year' },
];

const SCOPES = PROGRAM_SCOPES.map((scope) => ({
  value: scope,
  label: SCOPE_TEXTS[scope].name,
  description: SCOPE_TEXTS[scope].summary,
}));

/** Makes a program, or changes its name, what it can do and in which classes. */
export function ProgramForm({ program, classes, onClose, onMade }: Props) {
  const schoolId = useSchoolId();
  const make = useMakeProgram(schoolId);
  const change = useChangeProgram(schoolId);
  /** The user has no second factor: the notice leads to where they add one. */
  const [missingFactor, setMissingFactor] = useState<unknown>(null);
  const form = useSchemaForm({
    schema: programBody,
    initialValues: {
      name: program?.name ?? '',
      scopes: program?.scopes ?? ([] as ProgramScope[]),
      group_ids: program?.groups?.map(({ id }) => id).filter((id) => classes.some((known) => known.id === id)) ?? null,
      days: 90,
    },
    idPrefix: 'program-',
  });
  const { values, setFieldValue } = form.form;
  const submit = form.onSubmit(async ({ days, ...settings }) => {
    setMissingFactor(null);
    try {
      if (program) {
        await change.mutateAsync({ programId: program.id, ...settings });
        onClose();
        showToast(`${settings.name} saved`);
      } else {
        const made = await make.mutateAsync({ ...settings, days });
        onMade(made.program.name, made.token);
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'program_needs_factor') throw error;
      setMissingFactor(error);
    }
  });
  const scopes = form.field('scopes');
  const classIds = form.field('group_ids');

  return (
    <>
      {missingFactor !== null && (
        <ErrorNotice
          error={missingFactor}
          lost={program ? 'The program has not been changed.' : 'The program has not been added.'}
        />
      )}
      <DialogForm form={form} onSubmit={submit} onCancel={onClose} action={program ? 'Save' : 'Add the program'}>
        {program && <p>The program notices from its next call on. Its token stays the same.</p>}
        <TextInput
          {...form.field('name')}
          label="Name"
          description="By which your admins recognise it, such as “Data warehouse”."
          autoComplete="off"
          data-autofocus
        />
        <Checkboxes
          id={scopes.id}
          label="What it can do"
          error={scopes.error}
          data={SCOPES}
          values={values.scopes}
          onChange={(chosen) => setFieldValue('scopes', chosen)}
          className={`stack-m ${css.scopes}`}
        />
        <RadioButtons
          id="program-classes"
          label="Classes"
          value={values.group_ids === null ? 'all' : 'some'}
          onChange={(choice) => setFieldValue('group_ids', choice === 'all' ? null : [])}
          data={[
            { value: 'all', label: 'The whole school' },
            { value: 'some', label: 'Some classes' },
          ]}
        />
        {values.group_ids !== null && (
          <Checkboxes
            id={classIds.id}
            label="Which classes"
            error={classIds.error}
            data={classes.map(({ id, name }) => ({ value: id, label: name }))}
            values={values.group_ids}
            onChange={(chosen) => setFieldValue('group_ids', chosen)}
            className={`tiled ${css.options}`}
          />
        )}
        {!program && (
          <NativeSelect
            {...form.field('days')}
            label="How long it works"
            description={`All admins get an email ${PROGRAM_REMINDER_DAYS} days before it ends.`}
            value={String(values.days)}
            onChange={({ currentTarget }) => setFieldValue('days', Number(currentTarget.value))}
            data={DURATIONS}
          />
        )}
      </DialogForm>
    </>
  );
}
