import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { queryParameter, useBrowserValue } from '../../lib/query.ts';
import { joining } from '../../texts/guest/join.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { JoinFrame } from './join-page.tsx';

/** `maxLength` counts UTF-16 units; a character may have two. */
const PASSWORD_UNITS = 2 * GUEST_PASSWORD_MAX;

/** /securejoin: code and event password, both checked before the event opens. */
export default function SecureJoinPage() {
  // The browser reads the code in the address, because the server's HTML is the same for all.
  const [given] = useBrowserValue(() => cleanEventCode(queryParameter('code')), '');
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);

  return (
    <JoinFrame lead={joining.secureLead} counter="filled" given={given} password={password}>
      <Field
        label={joining.password}
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        maxLength={PASSWORD_UNITS}
      />
      <Button look="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? <EyeOff size={20} /> : <Eye size={20} />} {joining.show}
      </Button>
    </JoinFrame>
  );
}
