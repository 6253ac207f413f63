import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ViewFilters, ViewRecord } from '#contract/clients/views.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { filterTexts } from './filter-texts.ts';
import { groupsQuery, viewsQuery } from './queries.ts';
import { RenameViewDialog } from './rename-view-dialog.tsx';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { type ClientsSearch, hasFilters } from './search.ts';
import { isSameView, toSearch, toViewFilters } from './view-filters.ts';

/** The views that the member has saved or that are shared. The one that the page shows can be changed, renamed or deleted. */
export function SavedViews({ search }: { search: ClientsSearch }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const views = useQuery(viewsQuery(environment)).data?.views ?? [];
  const groups = useQuery(groupsQuery(environment)).data?.groups ?? [];
  const filters = toViewFilters(search, groups);
  const [open, setOpen] = useState<
    'save' | { renamed: ViewRecord } | { deleted: ViewRecord } | { changed: ViewRecord }
  >();
  const close = () => setOpen(undefined);
  // The view that was opened last stays the current one while its filters are changed, so that it can be changed to them.
  const [lastId, setLastId] = useState<string>();
  const shown = filters && views.find((view) => isSameView(view.filters, filters));
  const current = shown ?? views.find(({ view_id }) => view_id === lastId);
  const isFiltered = hasFilters(search) || search.order !== undefined;
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            fw={400}
            maw={220}
            leftSection={<IconBookmark size={16} stroke={1.7} />}
            rightSection={<IconChevronDown size={14} stroke={1.7} />}
            aria-label={shown ? `Views: ${shown.name}` : 'Views'}
          >
            <Text size="sm" truncate>
              {shown?.name ?? 'Views'}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {views.map((view) => (
            <Menu.Item
              key={view.view_id}
              leftSection={<IconCheck size={14} visibility={view === shown ? 'visible' : 'hidden'} />}
              rightSection={
                view.is_shared && (
                  <Text size="xs" c="dimmed">
                    Shared
                  </Text>
                )
              }
              onClick={() => {
                setLastId(view.view_id);
                const kept = { ...toSearch(view.filters), size: search.size };
                navigate({ to: '/$environment/clients', params: { environment }, search: kept });
              }}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length === 0 && <Menu.Label>Filters that you use often can be saved as a view.</Menu.Label>}
          <Menu.Divider />
          <Menu.Item disabled={!isFiltered || !filters} onClick={() => setOpen('save')}>
            Save these filters as a view…
          </Menu.Item>
          {current && (
            <ViewActions
              view={current}
              filters={filters}
              isShown={current === shown}
              isFiltered={isFiltered}
              onChangeShared={() => setOpen({ changed: current })}
              onRename={() => setOpen({ renamed: current })}
              onDelete={() => setOpen({ deleted: current })}
            />
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'save' && filters && (
        <SaveViewDialog filters={filters} onSaved={({ view_id }) => setLastId(view_id)} onClose={close} />
      )}
      {typeof open === 'object' && 'renamed' in open && <RenameViewDialog view={open.renamed} onClose={close} />}
      {typeof open === 'object' && 'deleted' in open && <DeleteViewDialog view={open.deleted} onClose={close} />}
      {typeof open === 'object' && 'changed' in open && filters && (
        <ChangeSharedViewDialog view={open.changed} filters={filters} onClose={close} />
      )}
    </>
  );
}

interface ViewActionsProps {
  view: ViewRecord;
  /** Those of the page, if they are known. */
  filters: ViewFilters | undefined;
  /** Whether the page shows exactly this view. */
  isShown: boolean;
  /** Whether the page has any filters. A view without them would be the list of all clients. */
  isFiltered: boolean;
  /** Others use the view, too, so the member is asked first. */
  onChangeShared(): void;
  onRename(): void;
  onDelete(): void;
}

/** Returns the function that changes a view and says so. */
function useChangeView({ view_id: id }: ViewRecord) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return async (form: { filters?: ViewFilters | undefined; is_shared?: boolean }, message: string) => {
    await sendChange('PATCH', `/${environment}/views/${id}`, form);
    notifications.show({ message });
  };
}

function ViewActions({ view, filters, isShown, isFiltered, onChangeShared, onRename, onDelete }: ViewActionsProps) {
  const change = useChangeView(view);
  const canEdit = useCanEdit();
  if (view.is_shared && !canEdit) return null;
  return (
    <>
      {!isShown && (
        <Menu.Item
          disabled={!isFiltered || !filters}
          onClick={() =>
            view.is_shared
              ? onChangeShared()
              : notifyOnError(change({ filters }, `The view ${quoted(view.name)} was changed.`))
          }
        >
          Change “{view.name}” to these filters{view.is_shared && '…'}
        </Menu.Item>
      )}
      {canEdit && (
        <Menu.Item
          onClick={() =>
            notifyOnError(
              view.is_shared
                ? change({ is_shared: false }, `Only you see the view ${quoted(view.name)} now.`)
                : change({ is_shared: true }, `All members see the view ${quoted(view.name)} now.`),
            )
          }
        >
          {view.is_shared ? `Stop sharing “${view.name}”` : `Share “${view.name}” with all members`}
        </Menu.Item>
      )}
      <Menu.Item onClick={onRename}>Rename “{view.name}”…</Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
        Delete “{view.name}”…
      </Menu.Item>
    </>
  );
}

interface ChangeSharedViewDialogProps {
  view: ViewRecord;
  filters: ViewFilters;
  onClose(): void;
}

function ChangeSharedViewDialog({ view, filters, onClose }: ChangeSharedViewDialogProps) {
  const change = useChangeView(view);
  const groups = useQuery(groupsQuery(useEnvironment())).data?.groups ?? [];
  const textsOf = (some: ViewFilters) => [
    ...filterTexts(toSearch(some), groups).map(({ text }) => text),
    ...(some.order === 'oldest' ? ['Oldest first'] : []),
  ];
  return (
    <ConfirmDialog
      title={`Change the view “${view.name}” for all members?`}
      action="Change view"
      onClose={onClose}
      onConfirm={() => change({ filters }, `The view ${quoted(view.name)} was changed.`)}
    >
      It is shared. It shows now: {textsOf(view.filters).join('; ')}. It will show: {textsOf(filters).join('; ')}.
    </ConfirmDialog>
  );
}

function DeleteViewDialog({ view, onClose }: { view: ViewRecord; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return (
    <ConfirmDialog
      title={`Delete the view “${view.name}”?`}
      action="Delete view"
      onClose={onClose}
      onConfirm={() => sendChange('DELETE', `/${environment}/views/${view.view_id}`).then(() => undefined)}
    >
      {view.is_shared ? 'No member will see it any more. ' : ''}No client is changed.
    </ConfirmDialog>
  );
}
