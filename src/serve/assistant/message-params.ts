/**
 * Checks the parameters of a request to the assistant before the protocol library does.
 * The library would answer with a dump of its schema.
 */
import { isJSONRPCRequest, isLegacyRequest, specTypeSchemas } from '@modelcontextprotocol/server';

const INVALID_PARAMS = -32_602;

const SCHEMAS = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    'tools/call': specTypeSchemas.CallToolRequest,
    'tools/list': specTypeSchemas.ListToolsRequest,
    'prompts/get': specTypeSchemas.GetPromptRequest,
    'prompts/list': specTypeSchemas.ListPromptsRequest,
    'resources/read': specTypeSchemas.ReadResourceRequest,
    'resources/list': specTypeSchemas.ListResourcesRequest,
    'completion/complete': specTypeSchemas.CompleteRequest,
  }),
);

/**
 * The refusal of missing parameters, of parameters of the wrong type, and of an unknown tool; null if there is no fault.
 * Requests of protocol 2026-07-28 pass unchecked: the library checks their headers and metadata first.
 */
export async function refuseParams(
  request: Request,
  message: unknown,
  tools: ReadonlySet<string>,
): Promise<Response | null> {
  if (!isJSONRPCRequest(message)) return null;
  const { id, method, params } = message;
  const legacy = await isLegacyRequest(request, message);
  const checked = legacy ? SCHEMAS.get(method)?.['~standard'].validate(message) : undefined;
  const paths = checked?.issues?.map(({ path = [] }) => path.map(String).join('.')) ?? [];
  if (paths.length > 0) {
    const verb = paths.length === 1 ? 'is' : 'are';
    return refuse(id, `${method}: ${paths.join(', ')} ${verb} missing or of the wrong type.`);
  }
  const name = params?.['name'];
  if (method !== 'tools/call' || typeof name !== 'string' || tools.has(name)) return null;
  return refuse(id, `There is no tool of that name; the tools are ${[...tools].join(', ')}.`);
}

function refuse(id: string | number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } });
}
