/** Called once with each unexpected error of a request, which is logged with its cause and masked for the client. */
export type ReportUnexpectedError = (error: unknown, requestId: string) => void;
