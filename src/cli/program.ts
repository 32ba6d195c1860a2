import { Command } from 'commander';
import { adminCommand } from './commands/admin.js';
import { apiKeyCommand } from './commands/api-key.js';
import { auditCommand } from './commands/audit.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { followUpsCommand } from './commands/follow-ups.js';
import { keysCommand } from './commands/keys.js';
import { migrateCommand } from './commands/migrate.js';
import { serveCommand } from './commands/serve.js';
import { usersCommand } from './commands/users.js';
import type { CommandContext } from './execution/command-context.js';

const EPILOGUE = `
Every command works beside a running service and without one. It finds the database by the service's own
settings: DATABASE_URL, or else the embedded one in DATA_DIR (.data in the current folder).

  convene doctor                  is everything in order?
  convene api-key create --help   more about one command
  npm run convene -- doctor       the same in a clone`;

/** Builds the command line of `convene`. It throws instead of ending the process. */
export function buildProgram(context: CommandContext): Command {
  const { terminal } = context;
  const program = new Command('convene')
    .description('Serves and looks after Convene: accounts, groups, invitations and answers.')
    .addHelpText('after', EPILOGUE);
  const commands = [
    serveCommand,
    demoCommand,
    doctorCommand,
    migrateCommand,
    adminCommand,
    usersCommand,
    auditCommand,
    apiKeyCommand,
    keysCommand,
    followUpsCommand,
  ];
  for (const command of commands) program.addCommand(command(context));
  return configureOutput(program, terminal);
}

/** Set on each command, since Commander passes these settings only to commands that it creates itself. */
function configureOutput(command: Command, terminal: CommandContext['terminal']): Command {
  command
    .exitOverride()
    .helpCommand(false)
    .showHelpAfterError('(add --help for more)')
    .configureOutput({
      writeOut: (text) => {
        terminal.print(text.trimEnd());
      },
      writeErr: (text) => {
        terminal.report(text.trimEnd());
      },
    });
  for (const child of command.commands) configureOutput(child, terminal);
  return command;
}
