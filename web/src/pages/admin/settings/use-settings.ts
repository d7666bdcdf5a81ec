import type { SectionState, Section, SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../../api/client.ts';

/** A section with its versions, and with its value's type. */
export interface StateOf<S extends Section> extends Omit<SectionState, 'value' | 'fixed'> {
  value: SettingsOf<S> | null;
  fixed: SettingsOf<S> | null;
}

const read = async <S extends Section>(section: S) => (await call('GET /admin/settings/:section', { params: { section } })) as StateOf<S>;

/** Changes a section that no form shows, starting from its current value. */
export async function changeSettings<S extends Section>(section: S, to: (value: SettingsOf<S> | null) => SettingsOf<S>): Promise<void> {
  const { version, value } = await read(section);
  await call('PUT /admin/settings/:section', { params: { section }, body: { version, value: to(value) } });
}

/** Throws ApiError settings_changed if somebody has set a section that a form showed as empty. */
export async function mustBeUnset(section: Section, message: string): Promise<void> {
  if ((await read(section)).value !== null) throw new ApiError(409, 'settings_changed', message);
}

/** Reads a section of the settings, and changes it. The server's answers are shown at once. */
export function useSettings<S extends Section>(section: S) {
  const queries = useQueryClient();
  const queryKey = ['settings', section];
  const params = { section };
  const query = useQuery({ queryKey, queryFn: () => read(section) });

  function changed(kept: SectionState): StateOf<S> {
    queries.setQueryData(queryKey, kept);
    void queries.invalidateQueries({ queryKey: ['status'] });
    return kept as StateOf<S>;
  }

  return {
    query,
    /** `save` and `back` change only the given version, no newer one, and return the stored state. */
    save: async (version: number, value: SettingsOf<S>) =>
      changed(await call('PUT /admin/settings/:section', { params, body: { version, value } })),
    back: async (version: number) => changed(await call('POST /admin/settings/:section/back', { params, body: { version } })),
  };
}
