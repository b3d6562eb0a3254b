import { Button } from '@mantine/core';
import { IconCheck, IconPrinter, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import { downloadLink } from '../../../shared/download.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import css from './LoginDownloads.module.css';

const FILES = [
  {
    key: 'logins',
    text: 'Logins',
    about: 'Cards to print and cut out (PDF)',
    file: 'login-cards.pdf',
    icon: IconPrinter,
  },
  {
    key: 'spreadsheet',
    text: 'Spreadsheet',
    about: 'Names, usernames and passwords (xlsx)',
    file: 'logins.xlsx',
    icon: IconTable,
  },
] as const;

/** The two files with new logins. They are fetched with the person's session, for nobody else may have them. */
export function LoginDownloads({ links }: { links: LoginLinks }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [saved, setSaved] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);

  const save = async (key: keyof LoginLinks, file: string) => {
    setBusy(key);
    setError(null);
    try {
      await downloadLink(links[key], file);
      setSaved((before) => [...before, key]);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };

  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <ul className={css.files}>
        {FILES.map(({ key, text, about, file, icon: Icon }) => (
          <li key={key}>
            <Button
              variant={saved.includes(key) ? 'default' : 'filled'}
              leftSection={saved.includes(key) ? <IconCheck size={20} aria-hidden /> : <Icon size={20} aria-hidden />}
              loading={busy === key}
              aria-describedby={`about-${key}`}
              onClick={() => void save(key, file)}
            >
              {text}
            </Button>
            <span id={`about-${key}`}>
              {about}
              {saved.includes(key) && <strong role="status"> Downloaded</strong>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
