import { useLocation } from 'preact-iso';
import { CreateGroupDocument, type CreateGroupInput } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { Field } from '../forms/field.js';
import { Form, type Values } from '../forms/form.js';
import { Page } from '../ui/page.js';

export function NewGroupPage() {
  const { client, paths } = useApp();
  const { route } = useLocation();
  const create = async (values: Values) => {
    const { createGroup } = await client.run(CreateGroupDocument, { input: inputOf(values) });
    route(paths.group(createGroup.group.id), true);
  };
  return (
    <Page title="New group" narrow>
      <Form onSubmit={create} button="Create group">
        <Field label="Name" name="name" hint="What people are invited to, in up to 120 characters." required />
        <Field label="Description (optional)" name="description" />
        <Field
          label="How many must accept (optional)"
          name="quorum"
          hint="Without a number, all who are invited."
          type="number"
          min="1"
        />
        <Field label="Answers until (optional)" name="respondBy" type="datetime-local" />
      </Form>
    </Page>
  );
}

function inputOf({ name = '', description, quorum, respondBy }: Values): CreateGroupInput {
  return {
    name,
    ...(description && { description }),
    ...(quorum && { quorum: Number(quorum) }),
    ...(respondBy && { respondBy: new Date(respondBy).toISOString() }),
  };
}
