import { Failsafe } from './frame.tsx';
import EventPage from './pages/event/event-page.tsx';

/**
 * A document of /event/{code}: the guests' page alone. Most of its visitors see no other one, so that their phones need load neither the
 * router nor what it knows of other pages: its links load documents.
 */
export function Guest({ path }: { path: string }) {
  return (
    <Failsafe>
      <EventPage code={codeIn(path)} />
    </Failsafe>
  );
}

function codeIn(path: string): string {
  const [, , code = ''] = path.split('/');
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}
