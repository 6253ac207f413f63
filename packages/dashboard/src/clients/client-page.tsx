import { Anchor, Box, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkOptions, linkOptions, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ClientDetail, ClientRecord } from '#contract/clients/clients.ts';
import type { Environment } from '#contract/environments.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { focusHeading } from '../components/focus-heading.ts';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { PageHeader } from '../components/page-header.tsx';
import { RecordContent } from '../components/record-content.tsx';
import { Section } from '../components/section.tsx';
import { useWayBack } from '../components/way-back.ts';
import { useEnvironment } from '../environment.ts';
import { CLIENT_STATUS_LABELS } from '../labels.ts';
import { useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { AssigneeSelect } from './assignee-select.tsx';
import { ClientDetails } from './client-details.tsx';
import { ClientHistory } from './client-history.tsx';
import { EditClientDialog } from './edit-client-dialog.tsx';
import { deselectErased, useKeepListPlace } from './list-place.ts';
import { Neighbours } from './neighbours.tsx';
import { clientQuery } from './queries.ts';
import { useKeepPlace } from './review-place.ts';
import { assignedIn, type ClientSearch } from './search.ts';
import { StatusActions } from './status-actions.tsx';
import { StatusLabel } from './status-label.tsx';

const route = getRouteApi('/$environment/clients/$referenceId');

interface WayBackFromClient {
  link: LinkOptions;
  label: string;
}

/** To the page from which the client was opened, or else to the list to which it belongs. */
function useWayBackFromClient(): WayBackFromClient {
  const environment = useEnvironment();
  const search = route.useSearch();
  const back = useWayBack();
  if (back) return { link: linkOptions({ to: '.', href: back.href }), label: back.label };
  return { link: listOf(environment, search), label: search.queue ? 'Review' : 'Clients' };
}

/** The list from which the client was opened. It scrolls to the client itself. */
function listOf(environment: Environment, { queue, ...search }: ClientSearch): LinkOptions {
  const params = { environment };
  return queue
    ? linkOptions({ to: '/$environment/review', params, search: { assigned: assignedIn(queue) }, resetScroll: false })
    : linkOptions({ to: '/$environment/clients', params, search, resetScroll: false });
}

export function ClientPage() {
  const environment = useEnvironment();
  const { referenceId } = route.useParams();
  const search = route.useSearch();
  const back = useWayBackFromClient();
  const detail = useQuery(clientQuery(environment, referenceId));
  useKeepPlace(referenceId, search.queue);
  useKeepListPlace(referenceId, search);
  useFocusNext(detail.data?.client.reference_id);
  return (
    <>
      <Group justify="space-between" mb="md">
        <Link {...back.link} className="text-link small">
          ← {back.label}
        </Link>
        <Neighbours referenceId={referenceId} search={search} />
      </Group>
      <RecordContent id={referenceId} query={detail} notFoundTitle="Client not found">
        {(data) => <Detail {...data} />}
      </RecordContent>
    </>
  );
}

/** Whoever goes on to another client by key goes on at its name, because what had the focus was about the former one. */
function useFocusNext(shown: string | undefined): void {
  const former = useRef(shown);
  useEffect(() => {
    if (shown === undefined) return;
    if (former.current !== undefined && former.current !== shown && isFocusLost()) focusHeading();
    former.current = shown;
  }, [shown]);
}

function Detail({ client, assignee, next_statuses: next, history }: ClientDetail) {
  const environment = useEnvironment();
  const canEdit = useCanEdit();
  const status = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <PageHeader
        title={client.client_name}
        description={client.email}
        actions={canEdit && <EditButton client={client} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Status" titleRef={status}>
            <Group gap="12px 48px" align="flex-start">
              <Status heading="Request status">
                <StatusLabel status={client.request_status} />
              </Status>
              <Status heading="Client status">{CLIENT_STATUS_LABELS[client.client_status]}</Status>
              <Status heading="Assignee">
                {canEdit && (
                  <AssigneeSelect client={client} assignee={assignee} onChoose={() => status.current?.focus()} />
                )}
                <span className={canEdit ? 'printed-only' : ''}>{assignee?.email ?? 'Nobody'}</span>
              </Status>
            </Group>
            {canEdit && (
              <Box className="screen-only" mt="md">
                <StatusActions client={client} next={next} onEnd={() => isFocusLost() && status.current?.focus()} />
              </Box>
            )}
          </Section>
          <Section title="Details" mt="lg">
            <ClientDetails client={client} />
          </Section>
          {canEdit && (
            <div className="screen-only">
              <EraseSection client={client} />
            </div>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="History">
            <ClientHistory events={history} createdAt={client.created_at} />
            <Anchor
              size="sm"
              mt="md"
              display="block"
              renderRoot={(props) => (
                <Link
                  to="/$environment/settings/activity"
                  params={{ environment }}
                  search={{ search: client.reference_id }}
                  {...props}
                />
              )}
            >
              See the activity log
            </Anchor>
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Status({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {heading}
      </Text>
      <Text fw={600} size="lg" component="div">
        {children}
      </Text>
    </div>
  );
}

function EditButton({ client }: { client: ClientRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open && <EditClientDialog client={client} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Apart from everything that is done every day. */
function EraseSection({ client }: { client: ClientRecord }) {
  const environment = useEnvironment();
  const back = useWayBackFromClient();
  const sendChange = useSendChange();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Erase"
      mt="lg"
      description="For a client who wants their data to be deleted. If you have only stopped working with a client, deactivate it instead."
    >
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen(true)}>
        Erase client…
      </Button>
      {open && (
        <ConfirmDialog
          title="Erase this client?"
          requiredText={client.email}
          action="Erase client"
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await sendChange('DELETE', `/${environment}/clients/${client.reference_id}`);
            deselectErased(environment, client.reference_id);
            await navigate(back.link);
            notifications.show({ message: 'The client was erased.' });
          }}
        >
          <Stack gap="xs">
            <span>
              The name, email and history of <b>{client.client_name}</b> are deleted permanently, also from the rejected
              rows of imports. Only a record that a client was erased remains. This cannot be undone.
            </span>
            <span>
              The saved views that are about this client are deleted, too, also those of other members: views whose name
              or search contains the client’s whole name, email, reference ID or external ID, and views whose search
              finds nobody else.
            </span>
          </Stack>
        </ConfirmDialog>
      )}
    </Section>
  );
}
