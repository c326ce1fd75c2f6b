package fakeserver

import "net/http"

// Failure is why a service doesn't reply.
type Failure string

// The failures whose shapes are kept.
const (
	FailFormat  Failure = "format"  // it doesn't take the response_format
	FailTools   Failure = "tools"   // it doesn't take tools, or a forced choice of one
	FailModel   Failure = "model"   // it hasn't that model
	FailKey     Failure = "key"     // it doesn't take the key
	FailLong    Failure = "long"    // the prompt is longer than the context
	FailBusy    Failure = "busy"    // it is overloaded, or still loads the model
	FailBalance Failure = "balance" // nobody pays for it
)

type failure struct {
	status int
	body   string
}

// failures are the shapes by service. They differ in whether the error is an object, a
// word or the body itself, and in whether its code is a number, a word or missing.
// The words are ours.
var failures = map[Service]map[Failure]failure{
	OpenAI: {
		FailFormat:  {http.StatusBadRequest, `{"error":{"message":"response_format is not supported with this model","type":"invalid_request_error","param":"response_format","code":null}}`},
		FailTools:   {http.StatusBadRequest, `{"error":{"message":"tools is not supported with this model","type":"invalid_request_error","param":"tools","code":"unsupported_parameter"}}`},
		FailModel:   {http.StatusNotFound, `{"error":{"message":"The model does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`},
		FailKey:     {http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
		FailLong:    {http.StatusBadRequest, `{"error":{"message":"too many tokens","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		FailBusy:    {http.StatusTooManyRequests, `{"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
		FailBalance: {http.StatusTooManyRequests, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`},
	},
	DeepSeek: {
		FailFormat:  {http.StatusBadRequest, `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
		FailTools:   {http.StatusBadRequest, `{"error":{"message":"does not support this tool_choice","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
		FailModel:   {http.StatusBadRequest, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
		FailKey:     {http.StatusUnauthorized, `{"error":{"message":"Authentication Fails","type":"authentication_error","param":null,"code":"invalid_request_error"}}`},
		FailBusy:    {http.StatusServiceUnavailable, `{"error":{"message":"Service is too busy","type":"service_unavailable_error","param":null,"code":"service_unavailable_error"}}`},
		FailBalance: {http.StatusPaymentRequired, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`},
	},
	Ollama: {
		FailTools: {http.StatusBadRequest, `{"error":{"message":"does not support tools","type":"api_error","param":null,"code":null}}`},
		FailModel: {http.StatusNotFound, `{"error":{"message":"model not found, try pulling it first","type":"api_error","param":null,"code":null}}`},
	},
	VLLM: {
		FailFormat: {http.StatusBadRequest, `{"object":"error","message":"unsupported schema","type":"BadRequestError","param":null,"code":400}`},
		FailTools:  {http.StatusBadRequest, `{"error":{"message":"tool choice requires a tool call parser","type":"BadRequestError","param":null,"code":400}}`},
		FailModel:  {http.StatusNotFound, `{"error":{"message":"The model does not exist.","type":"NotFoundError","param":"model","code":404}}`},
		FailKey:    {http.StatusUnauthorized, `{"error":"Unauthorized"}`},
	},
	LMStudio: {
		FailFormat: {http.StatusBadRequest, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`},
		FailModel:  {http.StatusNotFound, `{"error":{"message":"Model not found","type":"invalid_request_error","param":"model","code":"model_not_found"}}`},
	},
	LlamaCpp: {
		FailFormat: {http.StatusBadRequest, `{"error":{"code":400,"message":"failed to parse grammar","type":"invalid_request_error"}}`},
		FailKey:    {http.StatusUnauthorized, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`},
		FailLong:   {http.StatusBadRequest, `{"error":{"code":400,"message":"request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":4390,"n_ctx":4096}}`},
		FailBusy:   {http.StatusServiceUnavailable, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`},
	},
}

// Fail is a failure in the shape of a service; ok is false where none is kept.
func Fail(service Service, why Failure) (r Response, ok bool) {
	f, ok := failures[service][why]
	return Response{Status: f.status, Body: f.body}, ok
}
