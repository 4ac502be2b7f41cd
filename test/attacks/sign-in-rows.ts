/** The attacks of RFC 9700 on the sign-in of assistants, and what may happen to a connection later. */
export const SIGN_IN_ROWS = [
  {
    id: 'A-43',
    attack: 'an open redirect by the sign-in of assistants',
    shownBy: ['attacks/assistant-sign-in.test.ts'],
  },
  { id: 'A-44', attack: 'a mix-up of authorization servers', shownBy: ['attacks/assistant-sign-in.test.ts'] },
  {
    id: 'A-45',
    attack: 'a code or a refresh token, injected or replayed',
    shownBy: ['attacks/assistant-sign-in.test.ts', 'attacks/assistant-tokens.test.ts'],
  },
  { id: 'A-46', attack: 'a downgrade of PKCE', shownBy: ['attacks/assistant-sign-in.test.ts'] },
  {
    id: 'A-47',
    attack: 'a forged form of consent',
    shownBy: ['attacks/assistant-sign-in.test.ts', 'serve/frame/from-elsewhere.test.ts'],
  },
  {
    id: 'A-48',
    attack: "an assistant's token at another account",
    shownBy: ['attacks/assistant-tokens.test.ts'],
  },
  {
    id: 'A-49',
    attack: "an assistant's token at another resource",
    shownBy: ['attacks/assistant-tokens.test.ts', 'serve/connect/connect.test.ts'],
  },
  {
    id: 'A-50',
    attack: 'a code or token of another client',
    shownBy: ['attacks/assistant-sign-in.test.ts', 'attacks/assistant-tokens.test.ts'],
  },
  { id: 'A-51', attack: 'a flood of registrations', shownBy: ['attacks/assistant-tokens.test.ts'] },
  {
    id: 'A-52',
    attack: "a client's description that points inside",
    shownBy: [
      'run/server/assistant-sign-in.test.ts',
      'serve/connect/connections.test.ts',
      'webhooks/read-document.test.ts',
    ],
  },
  {
    id: 'A-53',
    attack: "an assistant's token of a person who left",
    shownBy: ['attacks/assistant-tokens.test.ts'],
  },
  {
    id: 'A-54',
    attack: "an assistant's token after the token of its sign-in",
    shownBy: ['attacks/assistant-tokens.test.ts'],
  },
  {
    id: 'A-55',
    attack: "an assistant's token of a secret that was removed",
    shownBy: ['attacks/assistant-tokens.test.ts'],
  },
  {
    id: 'A-56',
    attack: 'a clock that moved, at the sign-in of assistants',
    shownBy: ['attacks/assistant-tokens.test.ts'],
  },
  {
    id: 'A-57',
    attack: 'two servers behind one origin',
    shownBy: ['attacks/assistant-tokens.test.ts', 'serve/connect/below-a-path.test.ts'],
  },
] as const;
